const ALONE = 'nobody closes an account alone, and a colleague does it as themselves'
const FOLDER = 'a live profile takes only a folder that root keeps'
const LIST = 'who is not in the list neither proposes nor decides'
const DIGEST = 'the id is the digest of the file, and an edited file no longer has it'
const ONCE = 'an approval sends once, also after somebody removed %s'
const PLANTED = 'a file that somebody else could have changed, or that was planted, does not count'
const OWNER = 'who proposed it is the owner of the file, whatever it says'
const PAST = 'what gets past it: another profile, base URL or folder of settings'
const SETUP = 'all that is missing is said at once, with the commands'
const TRY_OUT = 'one person tries it out with two profiles of a sandbox on this machine'
const SIGNED = 'counts for the proposal, the person and the key that it names'
const JOURNAL = 'counts at the journal that the proposal names, and not once that is gone'
const SERVICE = 'without decision, trail and journal only the service can tell'

/**
 * Every sentence of docs/four-eyes.md, by its first words and in its order, with the test that shows it, in
 * four-eyes.test.ts, test/cli/proposals.test.ts, or imported-proposals, second-person or signed-approvals of test/commands; undefined for what only explains.
 */
export const SENTENCES: readonly (readonly [begins: string, test: string | undefined])[] = [
  ['A profile can require a second person', ALONE],
  ['One person proposes', ALONE],
  ['Both need accounts', undefined],
  ['An administrator makes it', undefined],
  ['A live profile takes only such a folder', FOLDER],
  ['Files of a user who is not in the list', LIST],
  ['Elsewhere a folder of your own is enough', FOLDER],
  ['Then each of them', undefined],
  ['What is missing is listed', SETUP],
  ['Only on a sandbox of this machine', TRY_OUT],
  ['Then, with the id from the list', TRY_OUT],
  ['`cardctl requests approve ID', TRY_OUT],
  ['Without a second person the command is refused', ALONE],
  ['With `--propose` it is checked', 'rows that are the same are agreed to by both'],
  ['A colleague sees what waits', ALONE],
  ['The id is the digest of the proposal', DIGEST],
  ['`p_` and the first 40 digits', DIGEST],
  ['An edited file is refused', DIGEST],
  ['The approver sees', 'the approver sees --again, what was sent before, the sums and as whom they send'],
  ["What can't be undone is in capitals", 'the list says sums and what cannot be undone'],
  ['`CLOSE credit account 2001 for good`', 'the list says sums and what cannot be undone'],
  [
    'On a live profile, transfers of a batch',
    'the service is asked about its batches before transfers are approved',
  ],
  ['A proposal is decided once', 'a rejected or withdrawn proposal is never sent'],
  ['It expires after 24 hours', 'that lives longer than a day'],
  ['If the program ends between', 'a proposal whose approval was killed counts as approved'],
  ['The file of the decision', ONCE],
  ['If all three are gone', SERVICE],
  ['Where it honours no key', SERVICE],
  ['`audit list --kind propose`', ALONE],
  ['For an operation of an imported document', 'another document of that name does not send it'],
  ['A proposal for a profile whose secret header', 'a proposal of one tenant is not sent to another'],
  ['Requests with a secret or a header', 'a secret is not proposed, nor a header'],
  ['Failed transfers can be proposed as a file', 'transfers above the limit wait, those below it go out'],
  ['A bulk run that would need', 'no other way leads around it: %s'],
  ['An approver without an account', SIGNED],
  ['The [policy](policy.md) of the machine', SIGNED],
  ['FINGERPRINT}`', SIGNED],
  ["Get the proposal's file", SIGNED],
  ['It is sent once, unchanged', JOURNAL],
  ['A new journal has another name', JOURNAL],
  ['Service and proposer are shown', undefined],
  ['Who proposed and who decided', OWNER],
  ['So neither a mistake of one person', PLANTED],
  ['But:', undefined],
  ['**A person who has the credential', PAST],
  ['For more than protection', undefined],
  ['The audit user of a proposal', 'the same audit user is no second person'],
  ['A person who has two user ids', undefined],
  ['Several commands below the limit', 'transfers above the limit wait, those below it go out'],
  ['Proposals need Linux or macOS', undefined],
]

/** The sentences of a page, without its headings, tables and code. */
export function sentencesOf(page: string): readonly string[] {
  const text = page.replaceAll(/```.*?```/gs, '')
  return text.split(/\n\n|\n(?=- )/).flatMap(paragraph => {
    const line = paragraph.trim().replace(/^- /, '').replaceAll(/\s+/g, ' ')
    return /^(?:[#|]|$)/.test(line) ? [] : line.split(/(?<=[.:])\s+(?=[A-Z`*])/)
  })
}
