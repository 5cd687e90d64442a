import { createRows } from '../row.ts'

const sends = ['alimtalk', 'friendtalk', 'international', 'rcs', 'omni']

export const errorRows = [
  ...createRows('Errors', 'error', [
    ['shape', 'shape', 'an error has only code and result, and with full report keys at most field as well'],
    ['A000', 'A000 Success', 'is the answer of every operation that succeeds, with HTTP 200'],
    ['A100', 'A100 Invalid authentication information', 'is the answer to wrong credentials (401)'],
    ['A001', 'A001 Expired token', 'is the answer of every authenticated call with an expired token (401)'],
    ...sends.map(
      (send) => [`A010-${send}`, 'A010 Cannot parse JSON', `POST /v1/send/${send} (400)`] as const,
    ),
    ['A020-polling', 'A020 Rate limit exceeded', 'GET /v1/report/polling (429), with Retry-After'],
    [
      'A020-delete',
      'A020 Rate limit exceeded',
      'DELETE /v1/report/polling/{reportId} (429), with Retry-After',
    ],
    ...sends.map(
      (send) =>
        [
          `A020-${send}`,
          'A020 Rate limit exceeded',
          `POST /v1/send/${send} (429), with Retry-After`,
        ] as const,
    ),
    ['A802', 'A802 No permission to Pull API', 'is the answer to polling without the permission (403)'],
    [
      'A805',
      'A805 Invalid Report ID(Pull API)',
      'is the answer to deleting a batch that does not exist (400)',
    ],
    ['A999-token', 'A999 Unknown error', 'POST /v1/auth/token, after a fault of the gateway (500)'],
    ['A999-polling', 'A999 Unknown error', 'GET and DELETE of polling, after a fault of the gateway (500)'],
    ['A999-inquiry', 'A999 Unknown error', 'GET /v1/report/inquiry, after a fault of the gateway (500)'],
    ['A999-upload', 'A999 Unknown error', 'POST /v1/file, after a fault of the gateway (500)'],
    ...sends
      .filter((send) => send !== 'omni')
      .map(
        (send) =>
          [
            `A999-${send}`,
            'A999 Unknown error',
            `POST /v1/send/${send}, after a fault of the gateway (500)`,
          ] as const,
      ),
    ['A999-send', 'A999 Unknown error', 'POST /v1/send/omni, after a fault of the gateway (500)'],
    ['429', 'HTTP 429', 'is the answer to excessive token requests'],
  ]),
]
