/** The beginning of an alarm. Pure. */
import type { Alarm } from './figures.ts'

export type Found = Alarm | false

export function critical(id: string, path: string | null): Pick<Alarm, 'id' | 'severity' | 'path'> {
  return { id, severity: 'critical', path }
}

export function warning(id: string, path: string | null): Pick<Alarm, 'id' | 'severity' | 'path'> {
  return { id, severity: 'warning', path }
}

export function routePath(route: string): string {
  return `/admin/v1/routes/${encodeURIComponent(route)}`
}
