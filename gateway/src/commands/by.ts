/** Who runs a command that changes what accounts may do, and why: both are kept with the change. */
import { hostname, userInfo } from 'node:os'
import { Option } from 'commander'
import { UsageError } from './errors.ts'
import { checked } from './options.ts'

export interface ByOptions {
  readonly by?: string
  readonly reason?: string
}

export function byOption(): Option {
  return checked('--by <name>', 'who makes the change (default: the user of this system)', readText)
}

export function reasonOption(description = 'why, for the history'): Option {
  return checked('--reason <text>', description, readText)
}

export function byOf({ by, reason }: ByOptions, standard: string): { by: string; reason: string } {
  return { by: by ?? currentUser(), reason: reason ?? standard }
}

/** Who runs the command, as the operating system knows it. */
export function currentUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`.slice(0, 200)
  } catch {
    // A container may run with a user id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`.slice(0, 200)
  }
}

function readText(text: string, option: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= 200 && !/\p{Cc}/u.test(trimmed)) return trimmed
  throw new UsageError(`${option} must be 1 to 200 characters without control characters`)
}
