/** Changes limits, lane, weight, polling and smart encoding of an account. Sends only changed values. */
import { useState } from 'react'
import type { Data, Input } from '../../../api/call.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { Field, SelectField } from '../../../components/Field.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { accountsTexts } from '../texts.ts'
import { limitsTexts } from './texts.ts'

/** Endpoint families with a shared limit, in display order. */
export const families = ['send', 'report', 'file', 'form'] as const
type Family = (typeof families)[number]

type Account = Data<'showAccount'>
type Change = NonNullable<Input<'setAccount'>['body']>
type Lane = NonNullable<Account['lane']> | 'by-kind'

const lanes = ['by-kind', 'urgent', 'normal', 'bulk', 'codes'] as const
const maxLimit = 9_999_999
const maxMegabytes = 1_048_576

interface Props {
  readonly account: Account
  readonly onClose: () => void
}

export function ChangeLimits({ account, onClose }: Props) {
  const t = useTexts(limitsTexts)
  const listTexts = useTexts(accountsTexts)
  const set = useChange('setAccount')
  const [limits, setLimits] = useState(() => toTexts(account.limits))
  const [lane, setLane] = useState<Lane>(account.lane ?? 'by-kind')
  const [weight, setWeight] = useState(String(account.weight))
  const [megabytes, setMegabytes] = useState(String(account.batchMegabytes))
  const [polling, setPolling] = useState(account.polling)
  const [smartEncoding, setSmartEncoding] = useState(account.smartEncoding)
  const submit = async (reason: string): Promise<void> => {
    const changed = families.filter((family) => toLimit(limits[family]) !== account.limits[family])
    const body: Change = {
      ...(changed.length === 0
        ? {}
        : { limits: Object.fromEntries(changed.map((family) => [family, toLimit(limits[family])])) }),
      ...(lane === (account.lane ?? 'by-kind') ? {} : { lane: lane === 'by-kind' ? null : lane }),
      ...(Number(weight) === account.weight ? {} : { weight: Number(weight) }),
      ...(Number(megabytes) === account.batchMegabytes ? {} : { batchMegabytes: Number(megabytes) }),
      ...(polling === account.polling ? {} : { polling }),
      ...(smartEncoding === account.smartEncoding ? {} : { smartEncoding }),
    }
    if (Object.keys(body).length === 0) return
    await set.mutateAsync({ params: { clientId: account.clientId }, body: { ...body, reason } })
  }
  return (
    <Confirm
      title={t.changeTitle(account.clientId)}
      confirmLabel={t.change}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className="fields">
        <p>{t.changeEffect}</p>
        <div className="fields two">
          {families.map((family) => (
            <Field
              key={family}
              label={t[`family-${family}`]}
              value={limits[family]}
              onValue={(value) => setLimits({ ...limits, [family]: value })}
              type="number"
              min={0}
              max={maxLimit}
              placeholder={t.standard}
            />
          ))}
          <SelectField
            label={listTexts.lane}
            value={lane}
            onValue={setLane}
            options={lanes.map((one) => [one, listTexts[`lane-${one}`]] as const)}
          />
          <Field
            label={listTexts.weight}
            value={weight}
            onValue={setWeight}
            type="number"
            min={1}
            max={100}
            required
          />
          <Field
            label={t.batchMegabytes}
            value={megabytes}
            onValue={setMegabytes}
            type="number"
            min={1}
            max={maxMegabytes}
            required
          />
        </div>
        <label className="choice">
          <input type="checkbox" checked={polling} onChange={(event) => setPolling(event.target.checked)} />
          {t.mayPoll}
        </label>
        <label className="choice">
          <input
            type="checkbox"
            checked={smartEncoding}
            onChange={(event) => setSmartEncoding(event.target.checked)}
          />
          {t.encodeSmartly}
        </label>
      </div>
    </Confirm>
  )
}

/** An empty string stands for the default limit. */
function toTexts(limits: Account['limits']): Readonly<Record<Family, string>> {
  const entries = families.map((family) => [family, limits[family]?.toString() ?? ''])
  return Object.fromEntries(entries) as Record<Family, string>
}

function toLimit(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
