/** Rotates the secret of a webhook. */
import { useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Field } from '../../components/Field.tsx'
import type { ShownSecret } from '../../components/SecretOnce.tsx'
import { Time } from '../../components/Time.tsx'
import { useTexts } from '../../texts/texts.ts'
import { webhooksTexts } from './texts.ts'

const defaultHours = 24
const maxHours = 168

interface Props {
  readonly id: string
  readonly name: string
  readonly onSecret: (secret: ShownSecret) => void
  readonly onClose: () => void
}

export function RotateSecret({ id, name, onSecret, onClose }: Props) {
  const t = useTexts(webhooksTexts)
  const rotate = useChange('rotateWebhookSecret')
  const [hours, setHours] = useState(String(defaultHours))
  const submit = async (reason: string): Promise<void> => {
    const { secret, previousUntil } = await rotate.mutateAsync({
      params: { webhookId: id },
      body: { keepPreviousHours: Number(hours), reason },
    })
    const note = (
      <>
        {t.previousUntil} <Time at={previousUntil} />
      </>
    )
    onSecret({ title: t.secretOf(name), secret, note })
  }
  return (
    <Confirm title={t.rotateTitle(name)} confirmLabel={t.rotate} onConfirm={submit} onClose={onClose}>
      <div className="fields">
        <p>{t.rotateEffect}</p>
        <Field
          label={t.keepHours}
          value={hours}
          onValue={setHours}
          type="number"
          min={0}
          max={maxHours}
          required
        />
      </div>
    </Confirm>
  )
}
