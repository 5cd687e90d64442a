/**
 * The file of `postern audit export`: rows and a checkpoint, one JSON document per line, for its owner alone. Each page is written before
 * the next is read. An export that is interrupted leaves complete pages.
 */
import { open, rm, type FileHandle } from 'node:fs/promises'
import { safeText } from '../../platform/log-error.ts'
import type { Checkpoint } from '../../audit/queries.ts'
import { OperationError } from '../../acts/errors.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'

export interface ExportPage {
  readonly items: readonly { readonly seq: number }[]
  /** The last row of the whole export. */
  readonly last: Checkpoint
}

/** What of the file is complete. */
interface Written {
  rows: number
  /** The last row. */
  seq: number
  bytes: number
}

/** Fails where the file exists. There is always a first page. `after`: the row before the first. */
export async function writeExport(
  path: string,
  after: number,
  pages: AsyncIterable<ExportPage>,
): Promise<Result> {
  const file = await createExport(path)
  const written: Written = { rows: 0, seq: after, bytes: 0 }
  try {
    const last = await writePages(file, path, pages, written)
    // A disk may say only now that it is full.
    await file.close().catch(failedWrite(path))
    return exportedResult(path, written.rows, last)
  } catch (error) {
    throw await keepComplete(file, path, written, error)
  }
}

function createExport(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600).catch((error: unknown) => {
    throw new FailedError(
      `cannot write ${path}: ${(error as Error).message}; name a file that does not exist, in a folder that you can write to`,
    )
  })
}

async function writePages(
  file: FileHandle,
  path: string,
  pages: AsyncIterable<ExportPage>,
  written: Written,
): Promise<Checkpoint> {
  let last: Checkpoint | undefined
  for await (const { items, last: end } of pages) {
    last = end
    written.bytes += await writeLines(file, path, items)
    written.rows += items.length
    written.seq = items.at(-1)?.seq ?? written.seq
  }
  await writeLines(file, path, [last!])
  return last!
}

/** Returns how many bytes they have. */
async function writeLines(file: FileHandle, path: string, documents: readonly unknown[]): Promise<number> {
  const lines = Buffer.from(documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
  // Not `write`, which may write a part alone, as when the disk fills.
  await file.appendFile(lines).catch(failedWrite(path))
  return lines.length
}

function failedWrite(path: string): (error: unknown) => never {
  return (error) => {
    throw new FailedError(
      `cannot write ${path}: ${(error as Error).message}; free space there, or name a file on another disk`,
    )
  }
}

/** Returns the error to report. Without a row there is no file: the same command can be run again. */
async function keepComplete(
  file: FileHandle,
  path: string,
  { rows, seq, bytes }: Written,
  error: unknown,
): Promise<unknown> {
  // The first error is reported, not one of cleaning up.
  const cut = await file.truncate(bytes).then(
    () => '',
    () => ', perhaps with a part of a later row at the end',
  )
  await file.close().catch(() => undefined)
  if (rows === 0) {
    await rm(path, { force: true }).catch(() => undefined)
    return error
  }
  const isExplained = error instanceof FailedError || error instanceof OperationError
  const why = isExplained ? error.message : safeText(error)
  return new FailedError(
    `rows up to ${seq} are written to ${path}, without a checkpoint${cut}; export the rest to another file with --after ${seq}: ${why}`,
  )
}

function exportedResult(path: string, rows: number, last: Checkpoint): Result {
  return {
    json: { rows, last },
    lines: [`${rows} rows written to ${path}; last row ${last.seq} ${last.hash}`],
  }
}
