/** `postern audit export`: rows as they are hashed, one JSON document per line, read page by page. */
import { open } from 'node:fs/promises'
import { readAuditAfter, readTail } from '../../audit/queries.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export interface ExportOptions {
  readonly after?: number
}

const page = 2_000

export function exportRows(
  invocation: Invocation,
  path: string,
  { after = 0 }: ExportOptions,
): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    await audit.look({ target: 'audit log', details: { after } }, 'audit')
    const last = await readTail(database)
    const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
      throw new FailedError(`cannot write ${path}: ${(error as Error).message}`)
    })
    let rows = 0
    try {
      for (let from = after; from < last.seq;) {
        const read = (await readAuditAfter(database, from, page)).filter(({ seq }) => seq <= last.seq)
        if (read.length === 0) break
        await file.write(read.map((row) => `${JSON.stringify(row)}\n`).join(''))
        rows += read.length
        from = read.at(-1)!.seq
      }
      await file.write(`${JSON.stringify(last)}\n`)
    } finally {
      await file.close()
    }
    return {
      json: { rows, last },
      lines: [`${rows} rows written to ${path}; last row ${last.seq} ${last.hash}`],
    }
  })
}
