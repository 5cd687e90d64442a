/**
 * The admin role: serves the admin API on its own port. Its database user has the rights of commands and of
 * sign-in (`postern_admin`), which processes that clients can reach do not have; `postern all` serves it in
 * the same process.
 */
import type { Server as HttpsServer } from 'node:https'
import { adminOperations, openOperations } from '../operations/operations.ts'
import { createSandboxFiles } from '../operations/sandbox/files.ts'
import { createAdminServer } from '../admin/server.ts'
import { openAdminDatabases } from '../operations/services.ts'
import { limitWebhookUse } from '../edge/api/limits/webhook-use.ts'
import { limitConnections } from '../edge/api/server/connections.ts'
import {
  isLoopbackHost,
  readCertificate,
  reloadCertificate,
  requireProxyHops,
} from '../edge/api/server/listen.ts'
import { createOriginForm } from '../channels/origin-form.ts'
import { fixedQueues } from '../jobs/queues.ts'
import { ConfigError } from '../platform/settings/config.ts'
import { retryTransient } from '../platform/database/retry.ts'
import { acceptForAccount, openMessageEntry, type MessageEntry } from './message-entry.ts'
import type { Role } from './role.ts'
import type { Runtime } from './runtime.ts'

export async function startAdmin(runtime: Runtime): Promise<Role> {
  const { config, log, broker, topology, encryption, metrics } = runtime
  const { adminHost, adminPort } = config
  if (adminPort === undefined)
    throw new ConfigError(
      'POSTERN_ADMIN_PORT is not set; set it to the port on which the admin API is to listen.',
    )
  // An invalid POSTERN_ORIGIN_PATTERN prevents the start; otherwise it would fail the first request that uses it.
  createOriginForm(config)
  // On loopback without a URL it is used only from this machine, and POSTERN_HTTP_PLAINTEXT=proxy is meant for the
  // API, so no proxy is required.
  if (!isLoopbackHost(adminHost) || config.adminUrl !== undefined)
    requireProxyHops(config, config.adminProxyHops, 'POSTERN_ADMIN_PROXY_HOPS')
  // Operator keys must not cross a network in plaintext, so a warning is not enough here.
  const httpPlaintext = config.httpPlaintext === 'proxy' ? 'proxy' : 'refuse'
  const certificate = readCertificate({ ...config, httpHost: adminHost, httpPlaintext }, log, 'the admin API')
  const { close, ...databases } = openAdminDatabases(config.databaseUrl, log)
  // This signal is never aborted: a stop during the start ends the process.
  const { signal } = new AbortController()
  await retryTransient(() => broker.declare(fixedQueues(topology)), {
    what: 'connecting to the broker',
    log,
    signal,
  })
  const stopping = new AbortController()
  // Opened with the first test message, because most admin processes never accept one.
  let entry: Promise<MessageEntry> | undefined
  const openEntry = (): Promise<MessageEntry> =>
    (entry ??= openMessageEntry(runtime).catch((error: unknown) => {
      entry = undefined
      throw error
    }))
  const server = createAdminServer({
    services: {
      config,
      log,
      broker,
      topology,
      encryption,
      metrics,
      ...databases,
      openFile: createSandboxFiles(config, databases.reads),
      stopping: stopping.signal,
      limitWebhookUse: limitWebhookUse(runtime.limiter),
      acceptMessage: async (account, channel, body) =>
        acceptForAccount(await openEntry(), account, channel, body),
    },
    operations: adminOperations,
    openOperations,
    certificate,
  })
  limitConnections(server.server, config.httpConnections, log)
  const address = await server.listen({ host: adminHost, port: adminPort })
  log.info({ address }, 'admin API listening')
  const reloading =
    certificate === undefined
      ? undefined
      : reloadCertificate(server.server as unknown as HttpsServer, config, certificate, log)
  return {
    // Ready even without RabbitMQ, so that it can show problems.
    readiness: () => ({ admin: true }),
    async drain() {
      stopping.abort()
      await reloading?.stop()
      await server.close()
      await (await entry)?.stop()
      await close()
    },
  }
}
