/**
 * Implements `postern sender import`. The whole file is checked before anything is stored: by the command,
 * then by the operation, which knows the accounts of the installation. Every request that stores senders is recorded
 * with the hash of the file.
 */
import { readSenders, today, type SenderRow, type LineError } from '../../operations/senders/import.ts'
import { clock } from '../../platform/time/clock.ts'
import { sendChunks } from '../client/chunks.ts'
import type { AdminClient } from '../client/client.ts'
import { readInput } from '../read-input.ts'
import { renderData } from '../render.ts'
import type { Result } from '../result.ts'
import { readSenderFile, requireNone } from './read-file.ts'

export interface SenderImportOptions {
  readonly approve?: true
}

/** Maximum number of senders per request. */
const maxSenders = 500
const maxClientId = 200

export async function importFile(
  admin: AdminClient,
  file: string,
  { approve = false }: { readonly approve?: boolean },
  progress?: (text: string) => void,
): Promise<Result> {
  const { content, sha256 } = await readInput(file)
  const { given, errors } = readSenderFile(content)
  const read = readSenders(given, {
    accountOf: numberAccounts(),
    approve,
    today: today(clock.date()),
    // All kinds: the operation knows which ones the installation allows.
    allowedKinds: ['special', 'old-mobile', 'forwarding'],
  })
  const senders = read.senders.map(({ given: row }) => toBody(row))
  const chunks = { items: senders, size: maxSenders, itemName: 'senders', progress }
  const refused: LineError[] = []
  await sendChunks({
    ...chunks,
    isCheck: true,
    send: async (chunk) => {
      const body = { senders: [...chunk], approve, dryRun: true }
      refused.push(...(await admin.call('importSenders', { body })).errors)
    },
  })
  requireNone([...errors, ...read.errors, ...refused])
  const common = { approve, fileSha256: sha256, ...admin.reason }
  const sum = { changed: 0, blocked: 0, rejected: 0 }
  await sendChunks({
    ...chunks,
    send: async (chunk) => {
      const stored = await admin.call('importSenders', { body: { ...common, senders: [...chunk] } })
      sum.changed += stored.changed
      sum.blocked += stored.blocked
      sum.rejected += stored.rejected
    },
  })
  const json = { lines: senders.length, ...sum }
  const next = 'Blocked and rejected senders keep their state until `postern sender approve`.'
  return { json, lines: [...renderData(json), ...(sum.blocked + sum.rejected === 0 ? [] : [next])] }
}

/** Numbers the accounts to distinguish them. Only the operation knows which of them exist. */
function numberAccounts(): (clientId: string) => number | undefined {
  const numbers = new Map<string, number>()
  return (clientId) => {
    if (clientId === '' || clientId.length > maxClientId) return undefined
    if (!numbers.has(clientId)) numbers.set(clientId, numbers.size)
    return numbers.get(clientId)
  }
}

function toBody({ line, account, kind, value, validUntil, proof }: SenderRow) {
  return {
    line,
    account,
    kind,
    value,
    ...(validUntil === null ? {} : { validUntil }),
    ...(proof === null ? {} : { proof: { ...proof, issued: proof.issued ?? undefined } }),
  }
}
