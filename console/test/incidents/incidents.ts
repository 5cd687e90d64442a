/** The incidents, as docs/operations/incidents.md describes them. */
import { accountBurst } from './account-burst.ts'
import { carrierSlow } from './carrier-slow.ts'
import { databaseSlow } from './database-slow.ts'
import type { Incident } from './incident.ts'
import { messageLost } from './message-lost.ts'
import { prefixRefused } from './prefix-refused.ts'
import { routeMisconfigured } from './route-misconfigured.ts'
import { webhookDead } from './webhook-dead.ts'

export const incidents: readonly Incident[] = [
  carrierSlow,
  prefixRefused,
  webhookDead,
  accountBurst,
  databaseSlow,
  routeMisconfigured,
  messageLost,
]
