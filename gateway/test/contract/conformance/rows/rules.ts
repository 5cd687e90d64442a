import { createRows } from '../row.ts'

export const ruleRows = [
  ...createRows('Conventions', 'convention', [
    ['base', 'base address', 'every path of the contract is found below it'],
    ['json', 'JSON', 'is the type of every request except an upload (415, A213) and of every response'],
    ['prefix', 'vendor prefix', 'credentials are in headers with the prefix SVC; without it they are A100'],
    ['times', 'timestamps', "have the pattern yyyy-MM-dd'T'HH:mm:ssXXX, except the expiry of an upload"],
  ]),
  ...createRows('What the service does', 'service', [
    ['1', '1', 'an account ID and password are exchanged for a bearer token that ends'],
    ['2', '2', 'the token sends RCS, international SMS, alimtalk, friendtalk and omni'],
    ['3', '3', 'every accepted message has a unique msgKey'],
    ['4', '4', 'the report of a message is polled in a batch and looked up by msgKey'],
    ['5', '5', 'an image is registered once and used by its key in MMS, RCS and friendtalk'],
  ]),
  ...createRows('Endpoints · POST /v1/send/international · rules', 'rule', [
    ['1', '1', 'a long message reaches the carrier as parts of one message'],
    ['2', '2', 'resCnt is in the reports of accounts that have it switched on, and in no others'],
    ['3-base', '3', '160 characters are one part, 70 in a local language'],
    ['3-split', '3', 'above that 153 a part, 67 in a local language'],
    ['3-most', '3', '765 are accepted in 5 parts and 766 rejected (A328), 335 and 336 in a local language'],
    ['3-billed', '3', 'a dry run and the usage count the parts that are billed, as resCnt does'],
    ['4', '4', 'a signature at the very front of the text reaches the carrier as it was given'],
    [
      '5',
      '5',
      'a text Sender ID reaches the carrier as it was given, and is refused for a recipient in Korea',
    ],
  ]),
  ...createRows('Authentication', 'authentication', [
    ['1', '1', 'credentials are read from the two headers, with the prefix SVC or IB, and from nowhere else'],
    ['2', '2', 'Authorization is the scheme word, one space and the token; anything else is A002'],
    ['3', '3', 'a token older than 24 hours is A001 on every kind of call'],
    ['4-many', '4', 'a hundred tokens of one account are all valid at once'],
    ['4-429', '4', 'too many token requests are HTTP 429, with Retry-After'],
    ['5', '5', 'a token is not in any log line, and cannot be created without the secret'],
    [
      '6',
      '6',
      'an account without the permission is A802 on both polling endpoints, and may send and inquire',
    ],
    ['7', '7', 'the operator makes an account with a password that is shown once'],
  ]),
  ...createRows('Events', 'events', [
    ['1', '1', 'a report is created when the delivery result is known, and not before'],
    ['2', '2', 'a report is reached by polling, and by inquiry before and after'],
    ['3', '3', 'a report unfetched for 3 days is no longer polled, and still found by inquiry'],
    ['5', '5', 'every send yields records with its msgKey and ref, one for each step tried'],
  ]),
  ...createRows('Versioning', 'version', [
    ['1', '/v1', 'prefixes every operation: without it there is no such path (404)'],
  ]),
]
