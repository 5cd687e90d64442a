/** Formatters of derived commands whose output is more than a table of the response, by operation id. */
import type { ResponseData, OperationId } from './client/types.ts'
import { FailedError } from './errors.ts'
import { showComparison } from './ledger/view.ts'
import { renderData } from './render.ts'
import type { Result } from './result.ts'

type Views = { readonly [Id in OperationId]?: (data: ResponseData<Id>) => Omit<Result, 'json'> }

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
      'active keys:',
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

/** A HAProxy map file separates key and value by white space and begins comments with `#`. */
function toMapLine({ clientId, cell }: { readonly clientId: string; readonly cell: string }): string {
  if (/^[^\s#]\S*$/.test(clientId)) return `${clientId} ${cell}`
  throw new FailedError(
    `client id '${clientId}' is not allowed in a map file: it must not be empty, contain white space or begin with #. Create an account with another client id for this customer`,
  )
}
