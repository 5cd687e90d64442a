/** Senders as the commands print them, over either way. Pure. */
import type { ImportedSenders } from '../../acts/import-senders.ts'
import { table, timeText, type Result } from '../result.ts'

export interface ShownSender {
  readonly clientId: string
  readonly kind: string
  readonly value: string
  readonly state: string
  readonly validUntil: Date | string | null
  readonly proof: { readonly kind: string; readonly reference: string; readonly issued: string | null } | null
  readonly createdAt: Date | string
  readonly updatedAt: Date | string
}

/** For what is shown on request alone. */
export const hidden = '***'

/** `found` has one more than `limit` where there are more. */
export function sendersResult(found: readonly ShownSender[], limit: number): Result {
  const isCut = found.length > limit
  const senders = found.slice(0, limit)
  const rows = senders.map((sender) => [
    ...[sender.clientId, sender.kind, sender.value, sender.state],
    sender.validUntil === null ? '-' : timeText(sender.validUntil).slice(0, 10),
    sender.proof === null ? '-' : `${sender.proof.kind} ${sender.proof.reference}`,
  ])
  return {
    json: { senders, more: isCut },
    lines: [
      ...table([['client id', 'kind', 'sender', 'state', 'valid until', 'proof'], ...rows]),
      ...(isCut
        ? [`There are more than these ${limit}; list them with --limit, or by account, kind or state.`]
        : []),
    ],
  }
}

export interface ShownChange {
  readonly at: Date | string
  readonly by: string
  readonly from: string | null
  readonly to: string
  readonly validUntil: Date | string | null
  readonly reason: string
  readonly proof: ShownSender['proof']
}

/** `value`: as it was asked for. */
export function senderResult(value: string, sender: ShownSender, changes: readonly ShownChange[]): Result {
  const rows = changes.map(({ at, by, from, to, reason, proof: given }) => [
    ...[timeText(at).slice(0, 19), by, `${from ?? '-'} → ${to}`],
    ...[given === null ? '-' : [given.kind, given.reference, given.issued ?? ''].join(' ').trim(), reason],
  ])
  const proof = sender.proof === null ? 'no proof' : `${sender.proof.kind} ${sender.proof.reference}`
  return {
    json: { sender, changes },
    lines: [
      `${sender.clientId}: ${sender.kind} ${value}: ${sender.state}, ${proof}`,
      ...table([['at', 'by', 'state', 'proof', 'reason'], ...rows]),
    ],
  }
}

export function registeredResult(value: string, sender: ShownSender, changed: boolean): Result {
  return describe(value, sender, changed ? 'is registered' : 'is registered already; nothing has changed')
}

export function decidedResult(value: string, sender: ShownSender, from: string | null, to: string): Result {
  const what = `${from ?? 'not registered'} → ${to}; running processes follow within two seconds`
  return describe(value, sender, what)
}

function describe(value: string, sender: ShownSender, what: string): Result {
  return {
    json: sender,
    lines: [`${sender.clientId}: ${sender.kind} ${value}: ${what}`, `state: ${sender.state}`],
  }
}

export function importedResult(lines: number, { changed, blocked, rejected }: ImportedSenders): Result {
  return {
    json: { lines, changed, blocked, rejected },
    lines: [
      `${lines} senders read, ${changed} new or changed; running processes follow within two seconds`,
      ...(blocked + rejected === 0
        ? []
        : [
            `${blocked} are blocked and ${rejected} were rejected; they stay so until \`postern sender approve\``,
          ]),
    ],
  }
}
