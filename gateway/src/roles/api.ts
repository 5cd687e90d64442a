/** The API role: accepts messages and answers questions about them. To accept, it needs the broker alone. */
import { createAccept } from '../accept/accept.ts'
import { sendRoutes } from '../accept/http.ts'
import { checkFlow } from '../accept/omni.ts'
import { createCheckFiles } from '../accept/files.ts'
import { createAccountDirectory } from '../accounts/directory.ts'
import { createAuthenticate, requireAccount } from '../edge/authenticate.ts'
import { createServer } from '../edge/server.ts'
import { fileContentRoutes } from '../files/content.ts'
import { fileRoutes } from '../files/http.ts'
import { createFileLookup } from '../files/lookup.ts'
import { openConfiguredStore } from '../files/open.ts'
import { formRoutes } from '../forms/http.ts'
import { createFormLookup } from '../forms/lookup.ts'
import { createTimeFormat } from '../platform/times.ts'
import { reportRoutes } from '../reports/http.ts'
import type { Runtime } from '../runtime.ts'
import { tokenRoutes } from '../tokens/http.ts'
import { createTokenIssuer } from '../tokens/issue.ts'
import { createTokenThrottle } from '../tokens/throttle.ts'
import { createTokenKey } from '../tokens/token.ts'
import type { Role } from './role.ts'

export interface ApiRole extends Role {
  readonly address: string
}

export async function startApi(runtime: Runtime): Promise<ApiRole> {
  const { config, log, metrics, database, broker, topology, redis } = runtime
  const accounts = createAccountDirectory(database, log)
  await Promise.all([accounts.start(), broker.declare([topology.accepted])])
  const key = createTokenKey(config.tokenSecret)
  const throttle = createTokenThrottle(redis, {
    requestsPerMinute: config.tokenRequestsPerMinute,
    failuresPerMinute: config.tokenFailuresPerMinute,
    keyPrefix: config.queuePrefix,
  })
  const store = await openConfiguredStore(config)
  const lookup = createFileLookup(database)
  const forms = createFormLookup(database)
  const formatTime = createTimeFormat(config.timeZone)
  const accept = createAccept({
    publisher: broker.publisher,
    queue: topology.accepted,
    cell: config.cell,
    metrics,
  })
  const server = createServer({
    log,
    metrics,
    authenticate: createAuthenticate(accounts, key),
    open: [
      tokenRoutes({
        issuer: createTokenIssuer(accounts, key, throttle),
        credentialPrefixes: config.credentialPrefixes,
        formatTime,
      }),
      fileContentRoutes({ lookup, store }),
    ],
    authenticated: [
      sendRoutes({
        accept,
        forms,
        checkFiles: createCheckFiles(lookup, config.publicFileBase),
        accountOf: requireAccount,
      }),
      fileRoutes({
        database,
        store,
        lookup,
        formatTime,
        publicFileBase: config.publicFileBase,
        accountOf: requireAccount,
      }),
      formRoutes({ database, checkFlow, formatTime, lookup: forms, accountOf: requireAccount }),
      reportRoutes({ database, formatTime, accountOf: requireAccount }),
    ],
  })
  const address = await server.listen({ host: config.httpHost, port: config.httpPort })
  log.info({ address }, 'api listening')
  return {
    address,
    readiness: () => ({ broker: broker.canPublish, accounts: accounts.loaded }),
    async drain() {
      accounts.stop()
      await server.close()
    },
  }
}
