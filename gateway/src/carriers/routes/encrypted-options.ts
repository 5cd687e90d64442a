/**
 * Options of routes in the database. With a master key they are encrypted as a whole, so that no secret depends on a mark in
 * a schema. Encrypted options are stored as a JSON string instead of an object. References to secrets stay references.
 */
import type { Queryable } from '../../platform/database/database.ts'
import { DamagedCiphertext, isEncrypted, type AssociatedData } from '../../platform/encryption/ciphertext.ts'
import type { EncryptedColumn } from '../../platform/encryption/field-cipher.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import type { RouteLink } from './route.ts'

type Options = RouteLink['options']

const toAssociatedData = (id: string): AssociatedData => ['routes', 'options', id]

/** Returns the JSON to store. */
export async function encryptOptions(
  transaction: Queryable,
  cipher: FieldCipher,
  id: string,
  options: Options,
): Promise<string> {
  const json = JSON.stringify(options)
  const stored = await cipher.encrypt(transaction, json, toAssociatedData(id))
  return isEncrypted(stored) ? JSON.stringify(stored) : json
}

/**
 * Damaged options are returned with their ciphertext as the only value. Opening a link with them fails with instructions, and
 * other routes are not affected.
 */
export async function decryptOptions(
  database: Queryable,
  cipher: FieldCipher,
  id: string,
  stored: unknown,
): Promise<Options> {
  if (typeof stored !== 'string') return stored as Options
  try {
    return JSON.parse(await cipher.decrypt(database, stored, toAssociatedData(id))) as Options
  } catch (error) {
    if (error instanceof DamagedCiphertext) return { encrypted: stored }
    throw error
  }
}

export const routeOptions: EncryptedColumn = {
  name: 'routes.options',
  async page(database, after, limit) {
    const result = await database.query<{ id: string; options: unknown }>(
      'select id, options from routes where id > $1 order by id limit $2',
      [after, limit],
    )
    return result.rows.map(({ id, options }) => ({
      key: id,
      stored: typeof options === 'string' ? options : JSON.stringify(options),
      associatedData: toAssociatedData(id),
    }))
  },
  async replace(transaction, changes) {
    let replaced = 0
    for (const { key, from, to } of changes) {
      const result = await transaction.query(
        'update routes set options = $3 where id = $1 and options = $2::jsonb',
        [key, isEncrypted(from) ? JSON.stringify(from) : from, JSON.stringify(to)],
      )
      replaced += result.rowCount ?? 0
    }
    return replaced
  },
}
