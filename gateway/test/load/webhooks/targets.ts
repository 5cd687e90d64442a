/**
 * Describes and adds the webhooks of a run, each of its own account: healthy, dead (connection refused), too
 * slow for its timeout, or failing half of the time. push-observer.ts receives the pushes.
 */
import type { Database } from '../../../src/platform/database/database.ts'
import { addWebhook } from '../../../src/edge/webhooks/actions.ts'
import { createAccount } from '../../support/fixtures.ts'
import { openReceiver } from './receiver.ts'
import { loopbackGuard } from './reports.ts'

export type TargetKind = 'healthy' | 'dead' | 'slow' | 'flaky'

export interface TargetMix {
  readonly endpoints: number
  readonly dead: number
  readonly slow: number
  readonly flaky: number
}

export interface WebhookTarget {
  readonly kind: TargetKind
  readonly path: string
  readonly accountId: number
  readonly webhookId: string
  readonly secret: string
  /** Keys of the reports written for the target, with the time just before the write. */
  readonly written: Map<string, number>
  readonly acknowledged: Set<string>
}

export async function addTargets(
  database: Database,
  mix: TargetMix,
  receiverUrls: readonly string[],
): Promise<WebhookTarget[]> {
  const closed = await openReceiver()
  await closed.close()
  const targets: WebhookTarget[] = []
  for (let n = 0; n < mix.endpoints; n++) {
    const kind = kindOf(n, mix)
    const accountId = await createAccount(database, `load-${n}`)
    const path = `/hook/${n}`
    const base = kind === 'dead' ? closed.url : receiverUrls[n % receiverUrls.length]!
    const context = { database, guard: loopbackGuard }
    const { id, secret } = await addWebhook(context, accountId, { url: `${base}${path}` })
    const noReports = { written: new Map<string, number>(), acknowledged: new Set<string>() }
    targets.push({ kind, path, accountId, webhookId: id, secret, ...noReports })
  }
  return targets
}

function kindOf(n: number, { dead, slow, flaky }: TargetMix): TargetKind {
  if (n < dead) return 'dead'
  if (n < dead + slow) return 'slow'
  return n < dead + slow + flaky ? 'flaky' : 'healthy'
}

/** Reports whether the target acknowledges its reports eventually. */
export function canAcknowledge({ kind }: WebhookTarget): boolean {
  return kind === 'healthy' || kind === 'flaky'
}
