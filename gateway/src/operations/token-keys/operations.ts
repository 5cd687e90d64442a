/** Lists and rotates the keys that sign access tokens. The keys themselves are never returned. */
import { Type } from 'typebox'
import { listTokenKeys } from '../../edge/api/tokens/key-queries.ts'
import { rotateTokenKey, withStates } from './rotation.ts'
import { clock } from '../../platform/time/clock.ts'
import { readCursor, toPage } from '../cursor.ts'
import { flag, nullable, page, pageQuery, record, text, time, whole } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'

const TokenKey = record(
  {
    id: whole('Number of the key'),
    signsFrom: time('Time since which it signs'),
    retiredAt: nullable(time('Time at which its tokens are rejected; null if not before they expire')),
    createdBy: text('Operator who created it'),
    createdAt: time('When it was created'),
    state: text('signs, signs from a time, accepted until a time, or retired'),
  },
  'A key',
  { title: 'TokenKey' },
)

/** Key numbers are stored in a column of 32 bits. */
const maxKeyNumber = 2 ** 31 - 1

export const tokenKeyOperations = [
  defineOperation({
    id: 'listTokenKeys',
    method: 'get',
    path: '/admin/v1/token-keys',
    tag: 'Accounts',
    summary: 'List the keys that sign or have signed access tokens, without the keys themselves',
    access: readAccess(),
    action: 'token-key list',
    command: { examples: [''] },
    query: pageQuery,
    data: page(TokenKey, 'Keys, oldest first'),
    run: async ({ query: { limit, cursor } }, { database }) => {
      const after = readCursor(Type.Tuple([Type.Integer({ minimum: 0, maximum: maxKeyNumber })]), cursor)?.[0]
      // Reads one more than the page: the state of a key depends on the next one.
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
      'Sign access tokens with a new key after five seconds; by default, those of earlier keys are accepted until they expire',
    description:
      'No process restarts, and no request fails unless the tokens of earlier keys are rejected. The key is derived from POSTERN_TOKEN_SECRET and a random value in the database, both of which are needed to sign a token. It is not returned.',
    access: writeAccess('system'),
    action: 'token-key rotate',
    command: { examples: ['', '--leaked'] },
    body: {
      leaked: Type.Optional(
        flag(
          'Reject the tokens of earlier keys as soon as the new one signs; every client must request a new token',
        ),
      ),
    },
    data: record(
      {
        id: TokenKey.properties.id,
        signsFrom: TokenKey.properties.signsFrom,
        earlierRefused: flag('Whether tokens of earlier keys are rejected from then on'),
      },
      'The new key',
    ),
    run: ({ body: { leaked = false } }, { audit }) => rotateTokenKey(audit, leaked),
  }),
]
