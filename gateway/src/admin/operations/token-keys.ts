/** The keys that sign access tokens, without the keys themselves. */
import { Type } from 'typebox'
import { listTokenKeys } from '../../api/tokens/key-queries.ts'
import { rotateTokenKey, withStates } from '../../api/tokens/rotation.ts'
import { clock } from '../../platform/clock.ts'
import { readCursor, toPage } from '../cursor.ts'
import { flag, nullable, page, pageQuery, record, text, time, whole } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'

const TokenKey = record(
  {
    id: whole('Its number'),
    signsFrom: time('Since when it signs'),
    retiredAt: nullable(time('From when on its tokens are refused; null: not before they expire')),
    createdBy: text('Who made it'),
    createdAt: time('When it was made'),
    state: text('signs, signs from a time, accepted until a time, or retired'),
  },
  'A key',
  { title: 'TokenKey' },
)

/** They are a column of 32 bits. */
const maxKeyNumber = 2 ** 31 - 1

export const tokenKeyOperations = [
  defineOperation({
    id: 'listTokenKeys',
    method: 'get',
    path: '/admin/v1/token-keys',
    tag: 'Accounts',
    summary: 'List the keys that sign or have signed access tokens, without the keys themselves',
    access: reads(),
    action: 'token-key list',
    command: { examples: [''] },
    query: pageQuery,
    data: page(TokenKey, 'Keys, the oldest first'),
    run: async ({ query: { limit, cursor } }, { database }) => {
      const after = readCursor(Type.Tuple([Type.Integer({ minimum: 0, maximum: maxKeyNumber })]), cursor)?.[0]
      // One more than the page: the state of a key depends on the one after it.
      const keys = withStates(await listTokenKeys(database, { after, limit: limit + 1 }), clock.now())
      return toPage(
        keys,
        limit,
        (key) => key,
        ({ id }) => [id],
      )
    },
  }),
  defineOperation({
    id: 'rotateTokenKey',
    method: 'post',
    path: '/admin/v1/token-keys/rotate',
    tag: 'Accounts',
    summary:
      'Sign access tokens with a new key after five seconds; those of earlier keys are accepted until they expire',
    description:
      'No process restarts and no request fails. The key is derived from POSTERN_TOKEN_SECRET and a random value in the database, neither of which signs a token without the other, and is not answered. All API processes must run this version.',
    access: changes('system'),
    action: 'token-key rotate',
    command: { examples: ['', '--leaked'] },
    body: {
      leaked: Type.Optional(
        flag(
          'Refuse the tokens of earlier keys as soon as the new one signs; every client requests a new token',
        ),
      ),
    },
    data: record(
      {
        id: TokenKey.properties.id,
        signsFrom: TokenKey.properties.signsFrom,
        earlierRefused: flag('Whether tokens of earlier keys are refused from then on'),
      },
      'The new key',
    ),
    run: ({ body: { leaked = false } }, { audit }) => rotateTokenKey(audit, leaked),
  }),
]
