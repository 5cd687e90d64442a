/** A time of the day in which advertisements may be sent, as an operator writes it. Pure. */
import { formatMinutes, legalWindow } from '../trust/quiet-hours/window.ts'
import { UsageError } from './errors.ts'

/** Such as `08:30`, as minutes after midnight. `name`: of the option or field, for the error. */
export function readTime(text: string, name: string): number {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  const time = hours === '' ? NaN : Number(hours) * 60 + Number(minutes)
  const { opensAt, closesAt } = legalWindow
  if (Number(minutes) < 60 && time >= opensAt && time <= closesAt) return time
  throw new UsageError(
    `${name} must be a time from ${formatMinutes(opensAt)} to ${formatMinutes(closesAt)}, the hours in which the law allows advertisements, not '${text}'`,
  )
}
