/** Database users for one test file, with a random prefix; dropped when the file ends. */
import { randomBytes } from 'node:crypto'
import { atEnd } from './cleanup.ts'
import {
  createDatabaseUsers,
  dropDatabaseUsers,
  dropRights,
  urlOfUser,
  type DatabaseUser,
} from './database-users.ts'

export interface DatabaseUsers {
  readonly prefix: string
  readonly urlOf: (user: DatabaseUser) => string
}

export async function useDatabaseUsers(ownerUrl: string): Promise<DatabaseUsers> {
  const prefix = `test_${randomBytes(5).toString('hex')}`
  await createDatabaseUsers(ownerUrl, prefix)
  atEnd(async () => {
    await dropRights(ownerUrl, prefix)
    await dropDatabaseUsers(ownerUrl, prefix)
  })
  return { prefix, urlOf: (user) => urlOfUser(ownerUrl, prefix, user) }
}
