/** Blocks or unblocks an account and shows the result. */
import { useState } from 'react'
import type { Data } from '../../../api/call.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { useRight } from '../../../session/session.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { BlockDialog } from './BlockDialog.tsx'
import { blockTexts } from './texts.ts'

interface Props {
  readonly account: Data<'showAccount'>
  readonly state: Data<'showAccountState'> | undefined
}

export function BlockActions({ account: { clientId, state: accountState }, state }: Props) {
  const t = useTexts(blockTexts)
  const { language } = usePreferences()
  const canBlock = useRight('block')
  const unblock = useChange('unblockAccount')
  const [openDialog, setOpenDialog] = useState<'block' | 'unblock' | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const count = (value: number): string => formatCount(value, language)
  const close = (): void => setOpenDialog(null)
  return (
    <>
      <span role="status" className="small">
        {done}
      </span>
      {!canBlock ? null : accountState === 'blocked' ? (
        <button type="button" className="button primary" onClick={() => setOpenDialog('unblock')}>
          {t.unblock}
        </button>
      ) : (
        <button type="button" className="button danger" onClick={() => setOpenDialog('block')}>
          {t.block}
        </button>
      )}
      {openDialog === 'block' ? (
        <BlockDialog
          clientId={clientId}
          state={state}
          onClose={close}
          onBlocked={({ backlog, open, submitted, webhooks }) =>
            setDone(
              open === null || submitted === null
                ? t.blockedUncounted
                : t[`blocked-${backlog}`](count(open), count(submitted), count(webhooks)),
            )
          }
        />
      ) : null}
      {openDialog === 'unblock' ? (
        <Confirm
          title={t.unblockTitle(clientId)}
          confirmLabel={t.unblock}
          onClose={close}
          onConfirm={async (reason) => {
            const { resumed } = await unblock.mutateAsync({ params: { clientId }, body: { reason } })
            setDone(t.unblocked(count(resumed)))
          }}
        >
          <ul className="effects">
            <li>{t.unblockRequests}</li>
            <li>{t.unblockHeld}</li>
            <li>{t.unblockWebhooks}</li>
          </ul>
        </Confirm>
      ) : null}
    </>
  )
}
