/** Cursors of lists: the values of the last row, opaque to clients. */
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { wrongField } from './errors.ts'
import type { CursorFormat } from '../platform/encryption/sealed-cursor.ts'
import { hasNul } from './nul.ts'

/** Readable by anyone who has the cursor. */
export const plainFormat: CursorFormat = {
  write: (text) => Buffer.from(text).toString('base64url'),
  read: (cursor) => Buffer.from(cursor, 'base64url').toString(),
}

export function writeCursor(position: readonly unknown[], format = plainFormat): string {
  return format.write(JSON.stringify(position))
}

/** Returns undefined for the first page. Throws for a cursor that the list cannot have returned. */
export function readCursor<Schema extends TSchema>(
  schema: Schema,
  cursor: string | undefined,
  format = plainFormat,
): Static<Schema> | undefined {
  if (cursor === undefined) return undefined
  let position: unknown
  try {
    position = JSON.parse(format.read(cursor))
  } catch {
    position = undefined
  }
  if (Value.Check(schema, position) && !hasNul(position)) return position
  throw wrongField('cursor', 'is invalid; omit it to start from the first page')
}

/** Expects one row more than `limit`, which shows whether another page follows. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
  getPosition: (row: Row) => readonly unknown[],
): { items: Item[]; next: string | null } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const next = rows.length > limit && last !== undefined ? writeCursor(getPosition(last)) : null
  return { items: items.map(show), next }
}
