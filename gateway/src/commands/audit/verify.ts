/** `postern audit verify` and `postern audit checkpoint`. */
import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { readTail, type Checkpoint } from '../../audit/queries.ts'
import { verifyAudit } from '../../audit/verify.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { checkpointResult, verifiedResult } from './row.ts'

export interface VerifyOptions {
  readonly checkpoint?: string
}

export async function verifyLog(invocation: Invocation, { checkpoint }: VerifyOptions): Promise<Result> {
  const checkpoints = checkpoint === undefined ? [] : readCheckpoints(await read(checkpoint), checkpoint)
  return verifiedResult(await withDatabase(invocation, (database) => verifyAudit(database, checkpoints)))
}

export async function printCheckpoint(invocation: Invocation): Promise<Result> {
  return checkpointResult(await withDatabase(invocation, (database) => readTail(database)))
}

/** Lines of other documents, such as the rows of an export, are checkpoints too: they have a number and a hash. */
function readCheckpoints(text: string, file: string): Checkpoint[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      const found = parse(line)
      if (found !== null) return found
      throw new UsageError(
        `${file}, line ${index + 1}: must be a checkpoint as \`postern audit checkpoint --json\` prints it`,
      )
    })
}

function parse(line: string): Checkpoint | null {
  try {
    const { seq, hash } = JSON.parse(line) as Partial<Checkpoint>
    return Number.isInteger(seq) && /^[0-9a-f]{64}$/.test(hash ?? '') ? { seq: seq!, hash: hash! } : null
  } catch {
    return null
  }
}

async function read(file: string): Promise<string> {
  try {
    return file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  }
}
