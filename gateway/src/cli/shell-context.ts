/**
 * Actor, source and reason of a command, recorded with its changes and with its accesses to personal data.
 */
import { randomUUID } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import type { Option } from 'commander'
import type { AuditContext } from '../identity/audit/context.ts'
import { isPrintable } from '../platform/logging/printable-text.ts'
import { UsageError } from './errors.ts'
import { checked } from './options.ts'

export interface AuditOptions {
  readonly by?: string
  readonly reason?: string
}

export function byOption(): Option {
  return checked(
    '--by <name>',
    'name of the person who runs the command (default: the system user)',
    readText,
  )
}

export function reasonOption(): Option {
  return checked('--reason <text>', 'reason, recorded in the audit log', readText)
}

/** Builds the context of a command without an operator key. The reason is empty if none was given. */
export function createShellContext({ by, reason = '' }: AuditOptions): AuditContext {
  return {
    by: by ?? currentUser(),
    role: 'shell',
    reason,
    source: hostname().slice(0, 200),
    keyId: null,
    requestId: randomUUID(),
  }
}

/** Returns the operating system user who runs the command. */
function currentUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`.slice(0, 200)
  } catch {
    // A container may run with a user id without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`.slice(0, 200)
  }
}

export function readText(text: string, option: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= 200 && isPrintable(trimmed)) return trimmed
  throw new UsageError(`${option} must be 1 to 200 characters without control characters`)
}
