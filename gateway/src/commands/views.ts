/** Texts of derived commands that say more than a table of the answer, by the id of the operation. */
import type { Data, OperationId } from './client/types.ts'
import { FailedError } from './errors.ts'
import { showComparison } from './ledger/view.ts'
import { renderData } from './render.ts'
import type { Result } from './result.ts'

type Views = { readonly [Id in OperationId]?: (data: Data<Id>) => Omit<Result, 'json'> }

export const views: Views = {
  compareLedger: showComparison,
  showMessage: ({ msgKey, events }) => ({
    lines: [
      msgKey,
      ...events.map(({ at, step, text }) => `${at}  ${step === null ? '      ' : `step ${step}`}  ${text}`),
    ],
  }),
  listOperators: ({ items }) => ({
    lines: [
      ...renderData({ items }, ['name', 'role', 'account', 'disabledAt', 'issuer', 'password', 'totp']),
      '',
      'keys that work:',
      ...renderData(
        {
          items: items.flatMap(({ name, keys }) =>
            keys.filter(({ usable }) => usable).map((key) => ({ ...key, name })),
          ),
        },
        ['name', 'keyId', 'initial', 'createdAt', 'createdBy', 'endsAt'],
      ),
    ],
  }),
  showCellMap: ({ items }) => ({ lines: items.map(toMapLine) }),
  testWebhook: ({ httpStatus, ms, error }) => ({
    lines: [error === '' ? `acknowledged with ${httpStatus} after ${ms} ms` : `${error}, after ${ms} ms`],
    failed: error !== '',
  }),
}

/** A map file of HAProxy separates key and value by white space and begins comments with `#`. */
function toMapLine({ clientId, cell }: { readonly clientId: string; readonly cell: string }): string {
  if (/^[^\s#]\S*$/.test(clientId)) return `${clientId} ${cell}`
  throw new FailedError(
    `the client id '${clientId}' cannot be written into a map file: it must not be empty, contain white space or begin with #; give this customer an account with another client id`,
  )
}
