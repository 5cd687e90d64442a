/** The rules on the links of the gateway. They judge connections, not messages. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const safety = {
  text: 'PIPC notice 2026-9 on safety measures for personal data, art. 7 (4)',
  date: '2026',
} as const

export const transportRules = [
  {
    id: 'api-over-tls',
    demands:
      'The API is served over TLS 1.2 or later, or in clear to a proxy on the same host. On another address a clear listener warns, is declared as one behind a proxy, or stops the start, as is set; it warns by default.',
    source: safety,
    enforcedAt: ['start', 'connection'],
    isOffUnlessSet: true,
    settings: ['POSTERN_HTTP_CLEAR', 'POSTERN_HTTP_CERT_FILE', 'POSTERN_HTTP_KEY_FILE'],
    test: 'gateway/src/api/server/listen.test.ts',
  },
  {
    id: 'links-verified',
    demands:
      'A link over TLS to PostgreSQL, RabbitMQ, Redis or a carrier verifies authority, name and dates of the certificate. For test environments `sslmode=no-verify` of PostgreSQL and `tls.verify` of an SMPP route turn that off; no other mode of a URL does.',
    source: safety,
    enforcedAt: ['connection'],
    isOffUnlessSet: true,
    settings: ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL'],
    test: 'gateway/test/security/wrong-tls.ts',
  },
  {
    id: 'links-client-certificate',
    demands:
      'PostgreSQL, RabbitMQ, Redis or a carrier that asks for a client certificate gets that of the settings or of the route, and lets in nobody without one.',
    source: { text: 'practice of mutual TLS', date: '2026' },
    enforcedAt: ['start', 'connection'],
    isOffUnlessSet: true,
    settings: [
      'POSTERN_DATABASE_URL',
      'POSTERN_BROKER_CERT_FILE',
      'POSTERN_BROKER_KEY_FILE',
      'POSTERN_REDIS_CERT_FILE',
      'POSTERN_REDIS_KEY_FILE',
    ],
    test: 'gateway/test/security/client-certificate.ts',
  },
  {
    id: 'smpp-server-tls',
    demands:
      'Customers connect over SMPP with TLS, by the certificate of the API where there is one; in clear only without a certificate or where that is set.',
    source: { text: 'practice of relays', date: '2026' },
    enforcedAt: ['connection'],
    isOffUnlessSet: true,
    settings: ['POSTERN_SMPP_SERVER_TLS', 'POSTERN_HTTP_CERT_FILE'],
    test: 'gateway/src/smpp-server/server.test.ts',
  },
] as const satisfies readonly EnforcedRule[]

export const omittedTransportRules: readonly OmittedRule[] = [
  {
    id: 'client-certificates',
    demands: 'A customer may authenticate with a client certificate, whose fingerprint is stored.',
    source: { text: 'practice of mutual TLS', date: '2026' },
    omitted:
      'Authenticate with keys limited to networks (`--networks`). A proxy before the API can demand client certificates.',
  },
]
