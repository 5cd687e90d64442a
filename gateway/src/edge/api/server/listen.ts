import { isIP } from 'node:net'
import { createSecureContext, type Server as TlsServer } from 'node:tls'
import { ConfigError, type Config } from '../../../platform/settings/config.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { every, type Periodic } from '../../../platform/time/periodic.ts'
import { readPemFile } from '../../../platform/settings/tls.ts'

export interface ServerCertificate {
  readonly cert: string
  readonly key: string
  readonly minVersion: 'TLSv1.2'
}

/** One year, for this host only: other hosts of the domain do not belong to the gateway. */
export const strictTransportSecurity = 'max-age=31536000'

type CertificateFiles = Pick<Config, 'httpCertFile' | 'httpKeyFile'>

/**
 * Reads the TLS certificate of the API, which the admin API and the SMPP server use as well. Returns undefined if the
 * server `name` listens in plaintext, and throws a ConfigError if the files cannot be used or if plaintext on a
 * reachable address is not allowed by POSTERN_HTTP_PLAINTEXT. `otherwise` ends the advice of that error.
 */
export function readCertificate(
  config: CertificateFiles & Pick<Config, 'httpPlaintext' | 'httpHost'>,
  log: Log,
  name = 'the API',
  otherwise = 'set POSTERN_HTTP_PLAINTEXT=proxy if your reverse proxy serves HTTPS',
): ServerCertificate | undefined {
  const certificate = readFiles(config)
  if (certificate !== undefined || isLoopbackHost(config.httpHost) || config.httpPlaintext === 'proxy')
    return certificate
  const message = `${name} listens in plaintext on ${config.httpHost}: credentials and message texts can be read on the network. Set POSTERN_HTTP_CERT_FILE and POSTERN_HTTP_KEY_FILE, or listen on 127.0.0.1, or ${otherwise}`
  if (config.httpPlaintext === 'refuse') throw new ConfigError(message)
  log.warn({}, message)
  return undefined
}

/**
 * Throws a ConfigError if a reverse proxy serves HTTPS but the number of proxies is not set: all clients would share
 * the address of the proxy, and one of them could use up the login limits of all.
 */
export function requireProxyHops(
  { httpPlaintext, httpCertFile }: Pick<Config, 'httpPlaintext' | 'httpCertFile'>,
  hops: number,
  setting: 'POSTERN_PROXY_HOPS' | 'POSTERN_ADMIN_PROXY_HOPS',
): void {
  if (httpPlaintext !== 'proxy' || httpCertFile !== undefined || hops > 0) return
  // The admin API does not allow plaintext with just a warning, so it needs a certificate.
  const otherwise =
    setting === 'POSTERN_PROXY_HOPS'
      ? 'POSTERN_HTTP_PLAINTEXT=warn'
      : 'POSTERN_HTTP_CERT_FILE and POSTERN_HTTP_KEY_FILE'
  throw new ConfigError(
    `${setting} is 0, but POSTERN_HTTP_PLAINTEXT=proxy leaves HTTPS to a reverse proxy: all clients would share its address and its limits. Set ${setting} to the number of your reverse proxies that set X-Forwarded-For, usually 1. For a proxy that does not set it, such as a TCP load balancer that terminates TLS, set ${otherwise}.`,
  )
}

function readFiles({ httpCertFile, httpKeyFile }: CertificateFiles): ServerCertificate | undefined {
  if (httpCertFile === undefined && httpKeyFile === undefined) return undefined
  if (httpCertFile === undefined || httpKeyFile === undefined)
    throw new ConfigError('POSTERN_HTTP_CERT_FILE and POSTERN_HTTP_KEY_FILE must be set together.')
  const cert = readPemFile('POSTERN_HTTP_CERT_FILE', httpCertFile)
  const key = readPemFile('POSTERN_HTTP_KEY_FILE', httpKeyFile)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new ConfigError(
      `POSTERN_HTTP_CERT_FILE and POSTERN_HTTP_KEY_FILE must be a certificate in PEM and its private key: ${(error as NodeJS.ErrnoException).code ?? 'invalid'}`,
    )
  }
  return { cert, key, minVersion: 'TLSv1.2' }
}

/**
 * Reads the certificate files again at intervals; new connections use a changed certificate. Files that are
 * incomplete or do not match keep the previous one.
 */
export function reloadCertificate(
  server: Pick<TlsServer, 'setSecureContext'>,
  config: CertificateFiles,
  current: ServerCertificate,
  log: Log,
  everyMs = 10_000,
): Periodic {
  let used = current
  let failing = false
  return every(everyMs, 'reading the certificate of the API', log, () => {
    try {
      const read = readFiles(config)
      failing = false
      if (read === undefined || (read.cert === used.cert && read.key === used.key)) return Promise.resolve()
      server.setSecureContext(read)
      used = read
      log.info({}, 'new connections use the changed certificate of the API')
    } catch (error) {
      if (!failing)
        log.warn(
          { reason: (error as Error).message },
          'the files of the certificate of the API cannot be used now; the previous certificate stays in use. Correct the files',
        )
      failing = true
    }
    return Promise.resolve()
  })
}

export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
