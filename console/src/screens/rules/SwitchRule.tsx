/** Turns a rule on or off and shows the effect on new requests and on accepted messages. */
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { Rule } from './columns.tsx'
import { rulesTexts } from './texts.ts'

export function SwitchRule({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const t = useTexts(rulesTexts)
  const enable = useChange('enableRule')
  const disable = useChange('disableRule')
  const { rule: id, enabled, demands } = rule
  return (
    <Confirm
      title={enabled ? t.offTitle(id) : t.onTitle(id)}
      confirmLabel={enabled ? t.turnOff : t.turnOn}
      danger={enabled}
      onConfirm={(reason) =>
        (enabled ? disable : enable).mutateAsync({ params: { rule: id }, body: { reason } })
      }
      onClose={onClose}
    >
      <p className="muted" lang="en">
        {demands}
      </p>
      {enabled ? <p>{t.offEffect}</p> : <OnEffect rule={rule} />}
    </Confirm>
  )
}

function OnEffect({ rule: { enforcedAt, code } }: { readonly rule: Rule }) {
  const t = useTexts(rulesTexts)
  const [accept, submission] = [enforcedAt.includes('accept'), enforcedAt.includes('submission')]
  return (
    <>
      {accept ? <p>{t.onAccept(code === null ? '' : t.withCode(code))}</p> : null}
      {submission ? <p>{t.onSubmission}</p> : null}
      {accept || submission ? null : <p>{t.onElsewhere}</p>}
    </>
  )
}
