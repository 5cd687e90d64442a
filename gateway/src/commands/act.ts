/** Who runs a command, from where and why: kept with what the command changes, and with what it shows of persons. */
import { randomUUID } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import type { Option } from 'commander'
import type { Act } from '../audit/act.ts'
import { isShown } from '../platform/shown-text.ts'
import { UsageError } from './errors.ts'
import { checked } from './options.ts'

export interface ActOptions {
  readonly by?: string
  readonly reason?: string
}

export function byOption(): Option {
  return checked('--by <name>', 'who runs the command (default: the user of this system)', readText)
}

export function reasonOption(): Option {
  return checked('--reason <text>', 'why, for the history', readText)
}

/** The reason is empty where none is given. */
export function actOfShell({ by, reason = '' }: ActOptions): Act {
  return {
    by: by ?? currentUser(),
    role: 'shell',
    reason,
    source: hostname().slice(0, 200),
    keyId: null,
    requestId: randomUUID(),
  }
}

/** Who runs the command, as the operating system knows it. */
function currentUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`.slice(0, 200)
  } catch {
    // A container may run with a user id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`.slice(0, 200)
  }
}

export function readText(text: string, option: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= 200 && isShown(trimmed)) return trimmed
  throw new UsageError(`${option} must be 1 to 200 characters without control characters`)
}
