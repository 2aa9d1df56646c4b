export function Logo({ size = 20 }: { size?: number }) {
  const faint = new Set([2, 6])
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden fill="var(--accent)">
      {Array.from({ length: 9 }, (_, i) => (
        <rect
          key={i}
          x={1 + (i % 3) * 6.5}
          y={1 + Math.floor(i / 3) * 6.5}
          width="5"
          height="5"
          rx="1"
          opacity={faint.has(i) ? 0.35 : 1}
        />
      ))}
    </svg>
  )
}
