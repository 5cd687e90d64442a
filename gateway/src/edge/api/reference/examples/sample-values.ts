/**
 * Invented values that the examples show in place of generated ones. A value that a response returns and a
 * later request uses is the same in both, so that tests can substitute the real one.
 */
export const sampleValues = {
  clientId: 'accq3v8m2k7xd',
  password: 'Jx4-8sWq_Lm2Zt9vKpB0',
  token: 'Rt-1fjORS_6ilI8ihN5KXSc7Tvo_hBKqFYY_kv5ZJr3J1TWDtkwtDDb-xHKas1VOqg6YYZYn9gAAAB2k3Fqz',
  tokenEnd: '2026-11-16T09:00:00+09:00',
  smsKey: '2026111500000012300K3V8Q2M7XDJ4T',
  sendAt: '2026-12-24T09:00:00+09:00',
  scheduledKey: '2026122400000000000D9C4R7Y2BQM6A',
  msgKey: '2026111500000145600B7N2W5C9LZP1R',
  otherMsgKey: '2026111500000145700Y6H3F8S0GTQ4E',
  formId: '20261115000002789F4T7K2M9Q1XW8ZC',
  formEnd: '2027-11-15T09:00:02+09:00',
  mmsKey: '20261115000003012UJZDE8GXD6NCF10EPF91DHO',
  rcsKey: '20261115000003345DZDOC9IS0J8HT9LGMXG9EDN',
  bubbleKey: '20261115000003678581U33XTPLPFT75V2SEH60K',
  fileEnd: '2026-11-22 09:00:03',
  longFileEnd: '2027-11-15 09:00:03',
  fileBase: 'https://files.example.com/v1/file/content/',
  reportId: '20261115000004901H7D2K9W4QX3',
  cursor: 'MS4wMDAwMGIuMDAwMDAwMDAwMQ',
  replyId: '2026111500000678900R4T8N1V6KJ3WQ',
  replyBatchId: '20261115000007012M5X8C1P6TZ2',
  replyCursor: 'MS4wMDAwLWIuMDAwMDAwMDAwMQ',
  replyTime: '2026-11-15T09:00:06+09:00',
  since: '2026-11-15T00:00:00+09:00',
  until: '2026-11-16T00:00:00+09:00',
  listCursor: 'Vb3kq1Y0pXw2mZ8rT5uN7cJ4hL6sD9fA-GeKiOQ_SWtM0vB1xzC2yE3',
  sendTime: '2026-11-15T09:00:00+09:00',
  reportTime: '2026-11-15T09:00:01+09:00',
  webhookId: '20261115000005123W6N3J8T1VZ5RK2Q',
  webhookUrl: 'https://hooks.example.com/reports',
  webhookTime: '2026-11-15T09:00:05+09:00',
  webhookSecret: 'whsec_Zm91ciBzY29yZSBhbmQgc2V2ZW4geWVhcnMgYWdvIQ==',
  newWebhookSecret: 'whsec_b3VyIGZhdGhlcnMgYnJvdWdodCBmb3J0aCB1cG9uIQ==',
  testEventId: 'test-2026111500000545600M4W8C2X6LD9FB',
  tryTime: '2026-11-15T09:00:05.479+09:00',
} as const

export const success = { code: 'A000', result: 'Success' } as const
