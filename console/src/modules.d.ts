/** Types of modules that have none, limited to what the console uses. */
declare module '*.css'

declare module 'd3-shape' {
  type Accessor<Datum> = (datum: Datum, index: number) => number
  interface Curve {
    readonly curve: never
  }
  interface Shape<Datum> {
    (data: readonly Datum[]): string | null
    curve(curve: Curve): this
  }
  export const curveMonotoneX: Curve
  export const curveStepAfter: Curve
  export function line<Datum>(x: Accessor<Datum>, y: Accessor<Datum>): Shape<Datum>
  export function area<Datum>(x: Accessor<Datum>, y0: number, y1: Accessor<Datum>): Shape<Datum>
}

declare module 'd3-scale' {
  export interface ContinuousScale {
    (value: number): number
    domain(domain: readonly number[]): this
    range(range: readonly number[]): this
    clamp(clamp: boolean): this
    ticks(count?: number): number[]
  }
  export function scaleLinear(): ContinuousScale
  export function scaleSqrt(): ContinuousScale
  export function scaleLog(): ContinuousScale
}
