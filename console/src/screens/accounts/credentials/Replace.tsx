/** Replaces a credential; both work during the overlap. */
import { useState } from 'react'
import type { Data } from '../../../api/call.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { Field } from '../../../components/Field.tsx'
import type { ShownSecret } from '../../../components/SecretOnce.tsx'
import { Time } from '../../../components/Time.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { credentialsTexts } from './texts.ts'

export type Credential = Data<'listCredentials'>['credentials'][number]

const defaultHours = 24
const maxHours = 168

interface Props {
  readonly id: string
  readonly credential: Credential
  readonly onSecret: (secret: ShownSecret) => void
  readonly onClose: () => void
}

export function Replace({ id, credential: { keyId, kind, name }, onSecret, onClose }: Props) {
  const t = useTexts(credentialsTexts)
  const rotate = useChange('rotateCredential')
  const changePassword = useChange('changePassword')
  const [hours, setHours] = useState(String(defaultHours))
  const [force, setForce] = useState(false)
  const what = name === '' ? t[`kind-${kind}`] : name
  const submit = async (reason: string): Promise<void> => {
    const body = { overlapHours: Number(hours), force, ...(reason === '' ? {} : { reason }) }
    const { secret, previousUntil } =
      kind === 'password'
        ? await changePassword
            .mutateAsync({ params: { clientId: id }, body })
            .then(({ password, ...others }) => ({ secret: password, ...others }))
        : await rotate
            .mutateAsync({ params: { clientId: id, keyId }, body })
            .then(({ key, ...others }) => ({ secret: key, ...others }))
    const note =
      previousUntil === null ? (
        t.previousEnded
      ) : (
        <>
          {t.previousUntil} <Time at={previousUntil} />
        </>
      )
    onSecret({ title: kind === 'password' ? t.passwordOf(id) : t.keyOf(what, id), secret, note })
  }
  return (
    <Confirm
      title={t.replaceTitle(what, id)}
      confirmLabel={t.replace}
      reason="optional"
      onConfirm={submit}
      onClose={onClose}
    >
      <div className="fields">
        <p>{t.replaceEffect}</p>
        <Field
          label={t.overlap}
          value={hours}
          onValue={setHours}
          type="number"
          min={0}
          max={maxHours}
          required
          hint={t.overlapHint}
        />
        <label className="choice">
          <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} />
          {t.force}
        </label>
      </div>
    </Confirm>
  )
}
