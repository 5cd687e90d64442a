/** Confirms blocking an account and shows the effect on its messages, webhooks and credentials. */
import { useState } from 'react'
import type { Data } from '../../../api/call.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { Field } from '../../../components/Field.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { blockTexts } from './texts.ts'

interface Props {
  readonly clientId: string
  readonly state: Data<'showAccountState'> | undefined
  readonly onBlocked: (block: Data<'blockAccount'>) => void
  readonly onClose: () => void
}

const maxNotice = 200

export function BlockDialog({ clientId, state, onBlocked, onClose }: Props) {
  const t = useTexts(blockTexts)
  const { language } = usePreferences()
  const block = useChange('blockAccount')
  const [hold, setHold] = useState(false)
  const [notice, setNotice] = useState('')
  const waiting = state?.waiting ?? []
  const count = (wanted: (reason: string) => boolean): string => {
    const sum = waiting.reduce((total, row) => total + (wanted(row.reason) ? row.count : 0), 0)
    return formatCount(sum, language)
  }
  return (
    <Confirm
      title={t.blockTitle(clientId)}
      confirmLabel={t.block}
      danger
      onClose={onClose}
      onConfirm={async (reason) =>
        onBlocked(
          await block.mutateAsync({
            params: { clientId },
            body: { hold, reason, ...(notice.trim() === '' ? {} : { notice: notice.trim() }) },
          }),
        )
      }
    >
      <div className="fields">
        <ul className="effects">
          <li>{t.effectRequests}</li>
          <li>
            {t.effectWaiting(count((reason) => reason !== 'scheduled'))} {hold ? t.held : t.closed}
          </li>
          <li>
            {t.effectScheduled(count((reason) => reason === 'scheduled'))} {hold ? t.held : t.closed}
          </li>
          <li>{t.effectSubmitted}</li>
          <li>{t.effectWebhooks}</li>
        </ul>
        <fieldset className="plain">
          <legend>{t.backlog}</legend>
          {([false, true] as const).map((choice) => (
            <label key={String(choice)} className="choice">
              <input type="radio" name="backlog" checked={hold === choice} onChange={() => setHold(choice)} />
              {choice ? t.holdChoice : t.closeChoice}
            </label>
          ))}
        </fieldset>
        <Field
          label={t.notice}
          value={notice}
          onValue={setNotice}
          maxLength={maxNotice}
          hint={t.noticeHint}
        />
      </div>
    </Confirm>
  )
}
