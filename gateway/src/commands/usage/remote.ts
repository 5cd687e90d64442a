/** `postern usage` over the admin API. */
import type { AdminClient } from '../remote/client.ts'
import type { Result } from '../result.ts'
import type { UsageOptions } from './usage.ts'
import { usageResult } from './view.ts'

export async function showUsage(
  admin: AdminClient,
  clientId: string,
  { from, to, groupBy: by }: UsageOptions,
): Promise<Result> {
  const rows = await admin.readAll((page) =>
    admin.call('showUsage', { params: { clientId }, query: { ...page, from, to, by } }),
  )
  return usageResult(clientId, rows)
}
