/** Creates self-signed certificates for tests. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** `name` is a host name, or an IP address for clients that connect to one. */
export function selfSigned(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'postern-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS'
  const args = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${kind}:${name}`]
  try {
    execFileSync('openssl', [...args.split(' '), ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
