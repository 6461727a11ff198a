/** Notes below the help of a command. */
export const enNotes = {
  filters: `
In the query, "a phrase" must occur, -word and -"a phrase" must not (put -- before a query that starts with a hyphen);
if no passage contains the phrase, similar ones are shown as weak.

Filters compare a document's attributes and metadata (title, author, created, modified, language, mediaType, name, source,
pages); a document must match all of them:
  --filter author=Ada            =  !=  >  >=  <  <=
  --filter "language in zh,en"   in, not in
  --filter "created>=2020-05 and (status=final or status=signed)"
Quotes keep a value together: 'title="Black and white"'. A document without the attribute matches only != and not in.`,
  evaluationSets: `
The folder holds a retrieval set, a JSON object a line or tab-separated:
  corpus.jsonl   {"id", "title", "text"}
  queries.jsonl  {"id", "query"}
  qrels.tsv      query-id  corpus-id  relevance
or questions over documents:
  docs/            the documents
  questions.jsonl  {"id", "question", "answerable", "must_include": [["either", "or"]], "doc", "pages_ok", "evidence"}
A file of such questions (FILE.jsonl) is asked of the documents in the store.`,
  synonyms: `
A line is a group of synonyms with commas between them (, ， 、); # starts a comment:
  laptop, notebook, 笔记本电脑
  PC => personal computer, desktop      only from left to right`,
  backup: `
The backup contains documents with their text and vectors, collections, jobs and conversations. It does not contain
settings, keys, incomplete multipart uploads, or the index, which import builds again.`,
  folders: `
Of a folder, files and folders whose name begins with a dot are left out, and what .gitignore and .passimignore name;
a file that is named itself is indexed whatever it is called.`,
  example: 'Example:',
}
