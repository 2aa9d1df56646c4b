import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const server = process.env.MUSTER_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The server's content security policy allows no inline data for scripts or fonts.
  build: { target: 'es2023', assetsInlineLimit: 0, sourcemap: false, chunkSizeWarningLimit: 800 },
  server: { host: '127.0.0.1', proxy: { '/api': { target: server } } },
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}'],
    css: { include: /\.css\?raw$/ },
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
