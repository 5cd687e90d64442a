/** Values of `postern trust` options. */
import { formatMinutes } from '../../trust/quiet-hours/window.ts'
import { legalWindow } from '../../trust/quiet-hours/settings.ts'
import { UsageError } from '../errors.ts'

/** Of `--opens` and `--closes`. */
export function readTime(text: string, option: string): number {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  const time = hours === '' ? NaN : Number(hours) * 60 + Number(minutes)
  const { opensAt, closesAt } = legalWindow
  if (Number(minutes) < 60 && time >= opensAt && time <= closesAt) return time
  throw new UsageError(
    `${option} must be a time from ${formatMinutes(opensAt)} to ${formatMinutes(closesAt)}, the hours in which the law allows advertisements, not '${text}'`,
  )
}
