/** The results of the last hour, a bar for each two minutes: failed ones are at the foot, where the eye compares them. */
interface Props {
  readonly delivered: readonly number[]
  readonly failed: readonly number[]
}

const barWidth = 4
const height = 28

export function ResultBars({ delivered, failed }: Props) {
  const bars = Array.from({ length: Math.ceil(delivered.length / 2) }, (_, index) => ({
    delivered: pairOf(delivered, index),
    failed: pairOf(failed, index),
  }))
  const top = Math.max(1, ...bars.map((bar) => bar.delivered + bar.failed))
  const scale = (count: number): number => (count === 0 ? 0 : Math.max(1, (count / top) * height))
  const width = bars.length * barWidth
  return (
    <svg className="result-bars" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {bars.map((bar, index) => {
        const x = index * barWidth
        const bad = scale(bar.failed)
        const good = Math.min(scale(bar.delivered), height - bad)
        return (
          <g key={x}>
            <rect className="good" x={x} y={height - bad - good} width={barWidth - 1} height={good} />
            <rect className="failed" x={x} y={height - bad} width={barWidth - 1} height={bad} />
          </g>
        )
      })}
      <path className="base" d={`M0 ${height}H${width}`} />
    </svg>
  )
}

function pairOf(values: readonly number[], index: number): number {
  return (values[index * 2] ?? 0) + (values[index * 2 + 1] ?? 0)
}
