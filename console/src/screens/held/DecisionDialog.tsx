/** Releases or refuses held messages after confirmation. */
import { useChange, type Item } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { useTexts } from '../../texts/texts.ts'
import { heldTexts } from './texts.ts'

export type HeldMessage = Item<'listHeld'>

/** Maximum messages per API request. */
export const maxDecided = 200
const maxNamed = 5

export interface HeldDecision {
  readonly action: 'release' | 'refuse'
  readonly messages: readonly HeldMessage[]
}

interface Props {
  readonly decision: HeldDecision
  readonly onDone: (message: string) => void
  readonly onClose: () => void
}

export function DecisionDialog({ decision: { action, messages }, onDone, onClose }: Props) {
  const t = useTexts(heldTexts)
  const release = useChange('releaseHeld')
  const refuse = useChange('refuseHeld')
  const isRelease = action === 'release'
  const count = messages.length
  const subject = count === 1 ? t.oneMessage(messages[0]!.msgKey) : t.manyMessages(count)
  const decide = async (reason: string): Promise<void> => {
    const body = { msgKeys: messages.map(({ msgKey }) => msgKey), reason }
    const { decided, notHeld } = await (isRelease ? release : refuse).mutateAsync({ body })
    const words = isRelease ? t.released(decided) : t.refused(decided)
    onDone(notHeld === 0 ? words : `${words} ${t.notHeld(notHeld)}`)
  }
  return (
    <Confirm
      title={isRelease ? t.releaseTitle(subject) : t.refuseTitle(subject)}
      confirmLabel={isRelease ? t.release : t.refuse}
      danger={!isRelease}
      onConfirm={decide}
      onClose={onClose}
    >
      <p>{isRelease ? t.releaseEffect(count) : t.refuseEffect(count)}</p>
      <p className="muted">{t.accounts(listAccounts(messages))}</p>
    </Confirm>
  )
}

function listAccounts(messages: readonly HeldMessage[]): string {
  const names = [...new Set(messages.map(({ account }) => account))]
  const firstNames = names.slice(0, maxNamed).join(', ')
  return names.length > maxNamed ? `${firstNames}, … (${names.length})` : firstNames
}
