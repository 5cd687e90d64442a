/** Small curve without axes next to a number. Hidden from screen readers, which read the number. */
import { area, curveMonotoneX, line } from 'd3-shape'

const width = 100
const height = 30

export function Sparkline({ values }: { readonly values: readonly number[] }) {
  if (values.length < 2) return <svg className="sparkline" aria-hidden="true" />
  const top = Math.max(...values, 1) * 1.1
  const x = (_value: number, index: number): number => (index / (values.length - 1)) * width
  const y = (value: number): number => height - 1 - (value / top) * (height - 2)
  const shape = { area: area<number>(x, height, y).curve(curveMonotoneX), line: line<number>(x, y) }
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="area" d={shape.area(values) ?? ''} />
      <path className="line" d={shape.line.curve(curveMonotoneX)(values) ?? ''} />
    </svg>
  )
}
