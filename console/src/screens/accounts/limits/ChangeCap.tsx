import { useState } from 'react'
import type { Data } from '../../../api/call.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { Field, SelectField } from '../../../components/Field.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { limitsTexts } from './texts.ts'

const periods = ['day', 'month'] as const
const maxCap = 1_000_000_000

interface Props {
  readonly id: string
  readonly caps: Data<'showAccountState'>['caps']
  readonly onClose: () => void
}

export function ChangeCap({ id, caps, onClose }: Props) {
  const t = useTexts(limitsTexts)
  const set = useChange('setAccountCap')
  const [capClass, setCapClass] = useState('all')
  const [period, setPeriod] = useState<(typeof periods)[number]>('day')
  const [max, setMax] = useState('')
  const current = caps.find((cap) => cap.class === capClass && cap.period === period)
  return (
    <Confirm
      title={t.setCapTitle(id)}
      confirmLabel={t.setCap}
      onClose={onClose}
      onConfirm={(reason) =>
        set.mutateAsync({
          params: { clientId: id },
          body: { class: capClass, [period]: max === '' ? null : Number(max), reason },
        })
      }
    >
      <div className="fields">
        <p>{t.setCapEffect}</p>
        <div className="fields two">
          <Field
            label={t.class}
            value={capClass}
            onValue={setCapClass}
            required
            maxLength={20}
            hint={t.classHint}
          />
          <SelectField
            label={t.period}
            value={period}
            onValue={setPeriod}
            options={periods.map((one) => [one, t[`period-${one}`]] as const)}
          />
        </div>
        <Field
          label={t.max}
          value={max}
          onValue={setMax}
          type="number"
          min={0}
          max={maxCap}
          hint={current === undefined ? t.maxHint : t.maxBefore(current.max, current.used)}
        />
      </div>
    </Confirm>
  )
}
