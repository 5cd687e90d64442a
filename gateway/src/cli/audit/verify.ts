/** Implements `postern audit verify`. */
import type { Checkpoint } from '../../identity/audit/queries.ts'
import { pageSize, type AdminClient } from '../client/client.ts'
import { UsageError } from '../errors.ts'
import { readInput } from '../read-input.ts'
import type { Result } from '../result.ts'

export interface VerifyLogOptions {
  readonly checkpoint?: string
}

export async function verifyLog(admin: AdminClient, { checkpoint }: VerifyLogOptions): Promise<Result> {
  const checkpoints = checkpoint === undefined ? [] : await readCheckpoints(checkpoint)
  const { rows, last, broken } = await admin.call('verifyAudit', { query: { all: true } })
  const problem = broken ?? (await findDifference(admin, checkpoints, last.seq))
  return {
    json: { rows, last, broken: problem },
    lines:
      problem === null
        ? [`${rows} rows, none changed, removed or moved; last row ${last.seq} ${last.hash}`]
        : [problem, 'Do not change the database; compare it with a backup and an export.'],
    failed: problem !== null,
  }
}

/**
 * Compares rows with checkpoints. The hash chain is intact, so a row with the hash of a checkpoint is the
 * original row.
 */
async function findDifference(
  admin: AdminClient,
  checkpoints: readonly Checkpoint[],
  lastSeq: number,
): Promise<string | null> {
  let hashes = new Map<number, string>()
  for (const { seq, hash } of [...checkpoints].sort((left, right) => right.seq - left.seq)) {
    if (seq > lastSeq)
      return `the log ends at row ${lastSeq}, but a checkpoint has row ${seq}: rows were removed at the end`
    if (!hashes.has(seq)) {
      const { items } = await admin.call('listAudit', { query: { before: seq + 1, limit: pageSize } })
      hashes = new Map(items.map((row) => [row.seq, row.hash]))
    }
    if (hashes.get(seq) !== hash) return `row ${seq} differs from its checkpoint: the log was rewritten`
  }
  return null
}

/** Other documents with a number and a hash, such as rows of an export, are also checkpoints. */
async function readCheckpoints(file: string): Promise<Checkpoint[]> {
  const { content } = await readInput(file)
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, index) => {
    const found = parseCheckpoint(line)
    if (found !== null) return found
    throw new UsageError(
      `${file}, line ${index + 1}: must be a checkpoint as \`postern audit checkpoint --json\` prints it`,
    )
  })
}

function parseCheckpoint(line: string): Checkpoint | null {
  try {
    const { seq, hash } = JSON.parse(line) as Partial<Checkpoint>
    return Number.isInteger(seq) && /^[0-9a-f]{64}$/.test(hash ?? '') ? { seq: seq!, hash: hash! } : null
  } catch {
    return null
  }
}
