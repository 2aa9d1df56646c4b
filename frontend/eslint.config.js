import hooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import ts from 'typescript-eslint'

const physical =
  'Use logical CSS properties (start, end, inline, block), so that right-to-left languages work.'

export default ts.config(
  { ignores: ['dist', 'test-results', 'src/api/schema.d.ts'] },
  ...ts.configs.strict,
  {
    files: ['src/**/*.{ts,tsx}', 'vite.config.ts'],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'react-hooks': hooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'max-lines': ['error', { max: 320, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'JSXAttribute[name.name="style"] Property[key.name=/^(left|right|marginLeft|marginRight|paddingLeft|paddingRight)$/]',
          message: physical,
        },
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Text is text, never HTML.',
        },
      ],
    },
  },
  {
    files: ['src/i18n/{en,ar}/*.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['vite.config.ts'],
    languageOptions: { parserOptions: { projectService: false, project: './tsconfig.node.json' } },
  },
  {
    files: ['e2e/**/*.mjs', 'scripts/**/*.mjs', 'eslint.config.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
)
