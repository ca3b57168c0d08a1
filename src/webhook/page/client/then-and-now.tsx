import {Fragment} from 'preact'
import {type ComparedAnswer, changeInWords, compareAnswers} from './compare-answers.ts'
import {millisText, sentenceOf, visible} from './text.ts'

interface Props {
  readonly before: ComparedAnswer
  readonly now: ComparedAnswer
  /** Where the answer of now is from, if it is not from this server. */
  readonly from?: string
  onShowBefore?(): void
}

/** Two answers to a call, field by field. What has changed is marked by a word, a sign and a colour. */
export function ThenAndNow({before, now, from, onShowBefore}: Props) {
  const [words, tone] = changeInWords(before, now)
  const fields = compareAnswers(before, now)
  return (
    <section class="part then-and-now">
      <h3>
        Then and now
        {from !== undefined && <code>{visible(from)}</code>}
      </h3>
      <p class="change" data-tone={tone}>
        <strong>{sentenceOf(words)}</strong>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Then</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({name, before: was, now: is, isChanged}) => (
            <tr key={name} data-changed={isChanged}>
              <th scope="row">
                <Name name={name} />
                {isChanged && <em data-tone="warn">≠ changed</em>}
              </th>
              <td>{was === undefined ? <Absent /> : isChanged ? <del>{visible(was)}</del> : visible(was)}</td>
              <td>{is === undefined ? <Absent /> : isChanged ? <ins>{visible(is)}</ins> : visible(is)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">time</th>
            <td>{millisText(before.ms)} ms</td>
            <td>{millisText(now.ms)} ms</td>
          </tr>
        </tbody>
      </table>
      {onShowBefore && (
        <button type="button" class="plain" onClick={onShowBefore}>
          Show the call of then
        </button>
      )}
    </section>
  )
}

/** Breaks between fields, and nowhere else if there is room. */
const Name = ({name}: {name: string}) =>
  visible(name)
    .split('.')
    .map((part, index) => (
      <Fragment key={index}>
        {index > 0 && (
          <>
            .<wbr />
          </>
        )}
        {part}
      </Fragment>
    ))

const Absent = () => <span class="quiet">none</span>
