/** The decision about held messages, with its effect told first. */
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { useTexts } from '../../../texts/texts.ts'
import type { Held } from './held.ts'
import { heldTexts } from './texts.ts'

/** In one request of the API. */
export const maxDecided = 200
const maxNamed = 5

export interface Decision {
  readonly act: 'release' | 'refuse'
  readonly messages: readonly Held[]
}

interface Props {
  readonly decision: Decision
  /** With what became of them. */
  readonly onDone: (text: string) => void
  readonly onClose: () => void
}

export function Decide({ decision: { act, messages }, onDone, onClose }: Props) {
  const t = useTexts(heldTexts)
  const release = useChange('releaseHeld')
  const refuse = useChange('refuseHeld')
  const releases = act === 'release'
  const count = messages.length
  const what = count === 1 ? t.oneMessage(messages[0]!.msgKey) : t.manyMessages(count)
  const decide = async (reason: string): Promise<void> => {
    const body = { msgKeys: messages.map(({ msgKey }) => msgKey), reason }
    const { decided, notHeld } = await (releases ? release : refuse).mutateAsync({ body })
    const words = releases ? t.released(decided) : t.refused(decided)
    onDone(notHeld === 0 ? words : `${words} ${t.notHeld(notHeld)}`)
  }
  return (
    <Confirm
      title={releases ? t.releaseTitle(what) : t.refuseTitle(what)}
      confirmLabel={releases ? t.release : t.refuse}
      danger={!releases}
      onConfirm={decide}
      onClose={onClose}
    >
      <p>{releases ? t.releaseEffect(count) : t.refuseEffect(count)}</p>
      <p className="muted">{t.ofAccounts(namesOf(messages))}</p>
    </Confirm>
  )
}

function namesOf(messages: readonly Held[]): string {
  const names = [...new Set(messages.map(({ account }) => account))]
  const shown = names.slice(0, maxNamed).join(', ')
  return names.length > maxNamed ? `${shown}, … (${names.length})` : shown
}
