/** `postern cell map` over the admin API of the cell. */
import { pageSize, type AdminClient } from '../client/client.ts'
import type { Result } from '../result.ts'
import { mapResult } from './view.ts'

export async function printMap(admin: AdminClient): Promise<Result> {
  const clientIds: string[] = []
  let cell = ''
  const pages = admin.readPages((page) => admin.call('showCellMap', { query: { limit: pageSize, ...page } }))
  for await (const { cell: name, items } of pages) {
    cell = name
    clientIds.push(...items.map(({ clientId }) => clientId))
  }
  return mapResult(cell, clientIds)
}
