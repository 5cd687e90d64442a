/** `postern usage` over the admin API. */
import type { AdminClient } from '../client/client.ts'
import type { Result } from '../result.ts'
import { usageResult } from './view.ts'

export interface UsageOptions {
  readonly from?: string
  readonly to?: string
  /** Comma-separated. */
  readonly groupBy?: string
}

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
