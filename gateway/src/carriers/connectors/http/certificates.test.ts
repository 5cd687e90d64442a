import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOptions } from '../registry.ts'

const body = `MIIBdDCCARmgAwIBAgIUKRH7OXsNjGDaL0zyArLQoWDmfqYwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEdGVzdDAeFw0yNjExMTUyMTM0MDFaFw0zNjExMTIyMTM0MDFa
MA8xDTALBgNVBAMMBHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS4Q79G
B7+BQ3iUuSp5FiTxddxccHZr8ESe0J8Iv9DPOpevkBcYIi7i6v8s1AC4yJ/0WOhS
5kEvpyC5EjGbBhgMo1MwUTAdBgNVHQ4EFgQU09GPePKtpiW6FHYsKrKMnjaZPY4w
HwYDVR0jBBgwFoAU09GPePKtpiW6FHYsKrKMnjaZPY4wDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNJADBGAiEA4b9xFucEGQLQ5YqlWAX52eyb9fvw55n4KmlY
5LRroTwCIQDXN1YBZo6tt/1FzVP7gSxjNTi6TRj2b2dNHDC9r/AA1A==`
const pem = (content: string): string =>
  `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----\n`

const mm7 = {
  dialect: '3gpp',
  url: 'https://mmsc.example/',
  vaspId: 'v',
  vasId: 'v',
  webhookToken: 'x'.repeat(32),
}
const withCa: Readonly<Record<string, (ca: string) => Record<string, unknown>>> = {
  smpp: (ca) => ({ host: 'smsc.example', systemId: 's', tls: { ca } }),
  mm7: (ca) => ({ ...mm7, tls: { ca } }),
  maap: (ca) => ({
    agencyId: 'a',
    agencyKey: 'AK.a',
    webhookToken: 'x'.repeat(32),
    carriers: { kt: { url: 'https://maap.example/ag/1.2', clientId: 'c', clientSecret: 's', tls: { ca } } },
  }),
  'maap-kt': (ca) => ({
    rcsId: 'c',
    rcsSecret: 's',
    agencyKey: 'AK.a',
    webhookToken: 'x'.repeat(32),
    tls: { ca },
  }),
  kakao: (ca) => ({ partnerKey: 'k'.repeat(40), tls: { ca } }),
  twilio: (ca) => ({ accountSid: 'AC1', authToken: 'token', tls: { ca } }),
  omni: (ca) => ({ url: 'https://service.example', clientId: 'c', password: 'p', tls: { ca } }),
}

for (const [protocol, options] of Object.entries(withCa)) {
  test(`${protocol} accepts one or more authorities and refuses a malformed one without quoting it`, () => {
    for (const ca of [pem(body), `# ours\n${pem(body)}\n${pem(body)}`]) readOptions(protocol, options(ca))
    for (const ca of [
      'topsecret',
      pem('topsecret'),
      pem(body.slice(0, 300)),
      pem(body).replace('-----END CERTIFICATE-----', ''),
      `${pem(body)}-----BEGIN CERTIFICATE-----\ntopsecret`,
    ]) {
      assert.throws(
        () => readOptions(protocol, options(ca)),
        ({ message }: Error) =>
          /\bca must be one or more PEM certificates/.test(message) && !message.includes('topsecret'),
        ca,
      )
    }
  })
}
