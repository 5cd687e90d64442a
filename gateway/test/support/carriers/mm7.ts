/** MMS submissions for tests, from requests as clients send them, images, and the options of a route over MM7. */
import type { Submission } from '../../../src/carriers/connectors/connector.ts'
import { readOptions } from '../../../src/carriers/connectors/registry.ts'
import type { Mm7Options } from '../../../src/carriers/connectors/mm7/options.ts'
import { acceptedSend } from '../accepted.ts'

/** Octets that begin and end like a JPEG. A greater `n` gives more octets, for several lines of base64. */
export const jpeg = (n = 0): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x0d, 0x0a, 0x2d, 0x2d]),
    Buffer.alloc(n * 57, 'line\r\n--'),
    Buffer.from([0xff, 0xd9]),
  ])

/** Converts a body of `POST /v1/send/mms` to a submission. */
export function mmsSubmission(body: object, overrides: Partial<Submission> = {}): Submission {
  return acceptedSend('mms', body, overrides)
}

export function mm7Options(overrides: object): Mm7Options {
  const required = {
    url: 'http://127.0.0.1:1/',
    vaspId: 'vasp',
    vasId: 'vas',
    webhookToken: 'token-of-the-reports',
  }
  return readOptions('mm7', { ...required, ...overrides }) as unknown as Mm7Options
}
