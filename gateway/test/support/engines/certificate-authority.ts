/**
 * Creates files with certificates of a test authority: a valid one for 127.0.0.1, and wrong ones. They are
 * removed when the test file ends.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCleanup } from '../cleanup.ts'

export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

export interface Authority {
  /** The authority's own certificate, which clients trust. */
  readonly ca: string
  /** With negative `days` the certificate has expired. */
  issue(name: string, days?: number): CertificateFiles
}

export interface TestCertificates extends Authority {
  readonly valid: CertificateFiles
  /** Certificates that a client trusting `ca` must reject, by reason. */
  readonly wrong: Readonly<Record<'authority' | 'name' | 'dates', CertificateFiles>>
}

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'.split(' ')

export function createTestCertificates(): TestCertificates {
  const [trusted, other] = [createAuthority(), createAuthority()]
  return {
    ...trusted,
    valid: trusted.issue('127.0.0.1'),
    wrong: {
      authority: other.issue('127.0.0.1'),
      name: trusted.issue('127.0.0.2'),
      dates: trusted.issue('127.0.0.1', -1),
    },
  }
}

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'postern-ca-'))
  // Servers that run as another user read the folder.
  chmodSync(folder, 0o755)
  addCleanup(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string): string => join(folder, name)
  const [ca, caKey] = [path('ca.pem'), path('ca-key.pem')]
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'ignore' })
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=test', '-keyout', caKey, '-out', ca)
  let issued = 0
  return {
    ca,
    issue(name, days = 2) {
      const nth = String(++issued)
      const [cert, key, request] = [path(`cert${nth}.pem`), path(`key${nth}.pem`), path(`${nth}.csr`)]
      const alternative = `subjectAltName=${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}`
      openssl(
        'req',
        ...newKey,
        '-subj',
        `/CN=${name}`,
        '-addext',
        alternative,
        '-keyout',
        key,
        '-out',
        request,
      )
      openssl(
        ...['x509', '-req', '-in', request, '-CA', ca, '-CAkey', caKey, '-set_serial', nth],
        ...['-days', String(days), '-copy_extensions', 'copy', '-out', cert],
      )
      return { cert, key }
    },
  }
}
