/** Results of the last hour, one bar per two minutes; failures are at the bottom, where they are easy to compare. */
interface Props {
  readonly delivered: readonly number[]
  readonly failed: readonly number[]
}

const barWidth = 4
const height = 28

export function ResultBars({ delivered, failed }: Props) {
  const bars = Array.from({ length: Math.ceil(delivered.length / 2) }, (_, index) => ({
    delivered: sumPair(delivered, index),
    failed: sumPair(failed, index),
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

function sumPair(values: readonly number[], index: number): number {
  return (values[index * 2] ?? 0) + (values[index * 2 + 1] ?? 0)
}
