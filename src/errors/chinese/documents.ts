/** 读取文档时的警告和错误：以英文模板为键。 */
export const zhDocumentMessages: Readonly<Record<string, string>> = {
  'its bytes are not a {0} file, nor text': '内容既不是 {0} 文件，也不是文本',
  'it closes with {0} what is not open': '多出结束符号 {0}',
  'a {0} is missing after “{1}”': '“{1}”之后缺少 {0}',
  'it has “{0}” where a value belongs': '应有值的位置是“{0}”',
  'it has the text {0}, which is not sound': '文本 {0} 无效',
  ' {0}': '{0}',
  '{0} s': '{0} 秒',
  'Chunks of {0} tokens: choose {1} to {2}.': '分块不能为 {0} 个 token：请在 {1} 到 {2} 之间选择。',
  'An overlap of {0}: choose a share from 0 to {1}.':
    '重叠比例不能为 {0}：请在 0 到 {1} 之间选择。',
  'Cannot read {0}: {1} of its characters are not text. The file is damaged or is not a text file.':
    '无法读取 {0}：其中 {1} 的字符不是文字。文件已损坏，或不是文本文件。',
  '{0} of the characters are unreadable; search and answers may miss them.':
    '{0} 的字符无法识别，搜索和回答可能会遗漏这些内容。',
  '{0} is empty: it has no bytes.': '{0} 是空文件。',
  'Cannot read {0}: its bytes are not text in any known charset.':
    '无法读取 {0}：其内容不是任何已知编码的文字。',
  '{0} ends in {1}, but its content is {2} and was read as that. Check that it is the right file.':
    '{0} 的扩展名是 {1}，内容却是 {2}，已按后者读取。请确认文件是否正确。',
  'Refused {0}: {1}. The limits for a zip container are {2}.':
    '拒绝读取 {0}：{1}。zip 容器的限制为 {2}。',
  'Parsing was stopped: the parser processes were closed.': '解析已停止：解析进程已关闭。',
  'Reading {0} {1} and was stopped. Split the file, or raise the setting {2}.':
    '读取 {0} 时{1}，已停止。请拆分文件，或调高设置 {2}。',
  'Reading {0} {1}. See whether the disk answers and try again, or raise the setting {2}.':
    '读取 {0} 时{1}。请检查磁盘是否有响应后再试，或调高设置 {2}。',
  'Refused {0}: it contains a text that is too long to be held in memory.':
    '拒绝读取 {0}：其中有一段文本过长，内存容纳不下。',
  'The parser process has no parser {0}.': '解析进程中没有解析器 {0}。',
  'Cannot read {0}: its parser process died ({1}). {2}':
    '无法读取 {0}：其解析进程异常结束（{1}）。{2}',
  'A parser process could not start ({0}). Check the installation and free memory.':
    '解析进程无法启动（{0}）。请检查安装是否完整、内存是否充足。',
  'Cannot read {0}: {1}': '无法读取 {0}：{1}',
  'The setting ocr.pageTimeMs raises that time.': '设置 ocr.pageTimeMs 可以延长该时间。',
  'To read pictures, use --ocr auto or the setting ocr.mode.':
    '要识别图片，请使用 --ocr auto 或设置 ocr.mode。',
  'The pages of {0} cannot be drawn ({1}). Read its text instead.':
    '无法绘制 {0} 的页面（{1}）。请改为查看其文本。',
  '{0} has {1} bytes; a bitmap may have {2}. Save it as PNG.':
    '{0} 有 {1} 字节，位图最大 {2} 字节。请另存为 PNG。',
  'Cannot read {0}: it is cut off or compressed. Save it as PNG.':
    '无法读取 {0}：文件不完整或经过压缩。请另存为 PNG。',
  '{0} has more than {1} million pixels. Make it smaller, or cut it in parts.':
    '{0} 超过 {1} 百万像素。请缩小图片，或分成几张。',
  'Cannot read {0}: {1}. Add a complete copy of it.': '无法读取 {0}：{1}。请换一份完整的文件。',
  '{0} is protected by a password. Save it without one and add it again.':
    '{0} 有密码保护。请另存为不带密码的文件后重新添加。',
  'Cannot read {0}: no parser for {1}. {2}': '无法读取 {0}：没有适用于 {1} 的解析器。{2}',
  '{0} holds no text.': '{0} 中没有文字。',
  'Cannot read {0}: it is not text in any known charset.':
    '无法读取 {0}：它不是任何已知编码的文本。',
  'The file does not state its charset, and {0} is a doubtful guess. If words look wrong, save the file as UTF-8 and add it again.':
    '文件没有注明编码，暂按 {0} 读取，但不能确定。如果文字有误，请把文件另存为 UTF-8 后重新添加。',
  'Cannot read {0}: it is a document of Word 6 or 95. Save it as .docx, in Office or with LibreOffice, and add it again.':
    '无法读取 {0}：它是 Word 6 或 Word 95 文档。请用 Office 或 LibreOffice 另存为 .docx 后重新添加。',
  'The mail is cut off: it ends in the middle of a part. What came after that is missing, and an attachment may be.':
    '邮件不完整：在一个部分的中间截断，之后的内容缺失，附件也可能缺失。',
  '{0} has {1} bytes; a mail may have {2}. Save its attachments.':
    '{0} 有 {1} 字节，邮件最大 {2} 字节。请单独保存其附件。',
  'Refused {0}: {1}. Save its contents as separate files.':
    '拒绝读取 {0}：{1}。请把其中的内容另存为单独的文件。',
  '{0} attachments were left out: at most {1} of a mail are read.':
    '略过了 {0} 个附件：一封邮件最多读取 {1} 个。',
  '{0}: its chapter {1} has {2} bytes, of {3}.': '{0} 的章节 {1} 有 {2} 字节，超出上限 {3}。',
  'The book names chapters that are not in it: {0}.': '书中列出的以下章节不存在：{0}。',
  '{0} is protected against reading elsewhere (DRM). Add a copy without protection.':
    '{0} 有版权保护（DRM），无法在别处阅读。请换一份没有保护的文件。',
  '{0} has {1} bytes; a page may have {2}. Split it.':
    '{0} 有 {1} 字节，网页最大 {2} 字节。请拆分。',
  '{0} is a picture. {1}': '{0} 是图片。{1}',
  'OCR found no text in {0}the picture {1}.': 'OCR 在图片 {1} {0}中没有找到文字。',
  'Only the first {0} of its {1} pages were read. Save the other pages as a separate file.':
    '共 {1} 页，只读取了前 {0} 页。请把其余页面另存为一个文件。',
  'Skipped: files that the text includes ({0}{1}). Add them too, to find their text.':
    '略过了正文引用的文件（{0}{1}）。要搜索其中的内容，请一并添加。',
  '{0} has {1} bytes; a notebook may have {2}. Clear its outputs.':
    '{0} 有 {1} 字节，笔记本最大 {2} 字节。请清除其输出。',
  'Cannot read {0}: it is not valid JSON, {1}.': '无法读取 {0}：它不是有效的 JSON，{1}。',
  'Cannot read {0}. {1}': '无法读取 {0}。{1}',
  'Line {0} is not valid JSON, {1}.': '第 {0} 行不是有效的 JSON，{1}。',
  '{0} more lines could not be read.': '另有 {0} 行无法读取。',
  '{0} Split the mailbox.': '{0}请拆分邮箱文件。',
  '{0} contains no text except in pictures. {1}': '{0} 中除图片外没有文字。{1}',
  'Title, author and dates are not read: {0} is damaged.': '未读取标题、作者和日期：{0} 已损坏。',
  'Refused {0}: its part {1} nests deeper than {2} elements.':
    '拒绝读取 {0}：其中的 {1} 嵌套超过 {2} 层。',
  'No page of {0} was named to be drawn.': '没有指定要绘制 {0} 的哪一页。',
  '{0} is not a passage: it needs a "text".': '{0} 不是段落：须有 "text"。',
  '{0} has no text.': '{0} 没有文字。',
  '{0} attachments were left out: at most {1} of a PDF are read.':
    '略过了 {0} 个附件：一个 PDF 最多读取 {1} 个。',
  'Some of the text on {0} ({1}) is left out: the fonts that say what it means are missing.':
    '{0}（{1}）上有部分文字未读取：缺少用于解读它们的字体。',
  'Text on {0} ({1}) is read without its fonts, which are missing: some characters may be wrong.':
    '{0}（{1}）上的文字缺少字体，部分字符可能有误。',
  'The picture on page {0} was not read. {1}': '未读取第 {0} 页的图片。{1}',
  'The picture on page {0} could not be read ({1}).': '第 {0} 页的图片无法读取（{1}）。',
  'Page {0} is a picture without text.{1}': '第 {0} 页是没有文字的图片。{1}',
  'OCR found no text in the picture on page {0}.': 'OCR 在第 {0} 页的图片中没有找到文字。',
  'The text of page {0} is in no language: its fonts map characters wrongly.{1}':
    '第 {0} 页的文字不成语句：其字体的字符映射有误。{1}',
  'Page {0} was read by OCR, which is only {1} % sure of it: compare it with the original.':
    '第 {0} 页由 OCR 识别，可信度只有 {1}%，请对照原文。',
  'The text of page {0} is in no language, since its fonts map characters wrongly: OCR read the page instead.':
    '第 {0} 页的文字不成语句，因为其字体的字符映射有误，已改用 OCR 识别该页。',
  'About {0} % of the text in the picture on page {1} could not be read by OCR: compare it with the original.':
    '第 {1} 页的图片中约有 {0}% 的文字 OCR 未能识别，请对照原文。',
  '{0} has {1} bytes; a PDF may have {2}.': '{0} 有 {1} 字节，PDF 最大 {2} 字节。',
  '{0} is protected by a password. {1}, or save the file without one.':
    '{0} 有密码保护。{1}，或另存为不带密码的文件。',
  'The option --password passes it.': '可用选项 --password 提供密码。',
  '{0} has {1} and no text on any of them.': '{0} 有 {1}，都没有文字。',
  'This is an XFA form, whose questions and answers were left out. Open it in Adobe Reader, print it to a PDF, and index that.':
    '这是 XFA 表单，其中的问题和答案未读取。请用 Adobe Reader 打开，打印成 PDF 后再索引。',
  'Page {0} holds more than {1} pieces of text: the rest of them is left out.':
    '第 {0} 页的文字片段超过 {1} 个，其余未读取。',
  'About {0} characters on page {1} are left out: they lie outside the page, or cannot be decoded.':
    '第 {1} 页约有 {0} 个字符未读取：它们在页面之外，或无法解码。',
  '{0} % of the characters on page {1} are unreadable: a font lacks its character map.':
    '第 {1} 页有 {0}% 的字符无法识别：某个字体缺少字符映射。',
  'Page {0} is damaged and could not be read.': '第 {0} 页已损坏，无法读取。',
  'The file is damaged or cut off. Recovered: {0} ({1}){2}; {3}. What else it held, be it pages, fonts or pictures, is missing: add a complete copy of it if there is one.{4}':
    '文件已损坏或不完整。已恢复 {0}（{1}）{2}；{3}。其余内容（页面、字体或图片）缺失；如有完整的文件，请重新添加。{4}',
  '{0} of the {1} slides that the presentation lists are not in it.':
    '演示文稿列出的 {1} 张幻灯片中有 {0} 张不存在。',
  'Cannot read {0}: it is a presentation of PowerPoint 95 or before. Save it as .pptx, in Office or with LibreOffice, and add it again.':
    '无法读取 {0}：它是 PowerPoint 95 或更早的演示文稿。请用 Office 或 LibreOffice 另存为 .pptx 后重新添加。',
  '{0} has no text on its {1} slides.': '{0} 的 {1} 张幻灯片上都没有文字。',
  'Slides that the presentation lists are not in it: {0}.': '演示文稿列出的以下幻灯片不存在：{0}。',
  'A note has at most {0} characters.': '备注最多 {0} 个字符。',
  '{0} has no chunk {1}.': '{0} 没有分块 {1}。',
  'The document has {0} changed chunks already, the most that one may have.':
    '该文档已有 {0} 个修改过的分块，已达上限。',
  'Hidden when the presentation is shown, but read: slides {0}.': '已读取放映时隐藏的幻灯片：{0}。',
  'Refused {0}: it nests deeper than {1} groups.': '拒绝读取 {0}：嵌套超过 {1} 层。',
  '{0} holds no text, only white space.': '{0} 中没有文字，只有空白。',
  '{0} has {1} bytes; a workbook of this age may have {2}. Save it as .xlsx.':
    '{0} 有 {1} 字节，这种旧格式的工作簿最大 {2} 字节。请另存为 .xlsx。',
  'A sheet of the workbook is cut off: its last rows may be missing. Add a complete copy of it.':
    '工作簿中有一个工作表不完整，末尾的行可能缺失。请换一份完整的文件。',
  'Hidden in the workbook, but read: {0}.': '已读取工作簿中隐藏的工作表：{0}。',
  '{0} no stored value: {1}. Open the workbook in Excel or LibreOffice, save it, and add it again.':
    '{0}没有保存的值：{1}。请用 Excel 或 LibreOffice 打开并保存工作簿，然后重新添加。',
  '{0} is a binary workbook. Save it as .xlsx and add it again.':
    '{0} 是二进制工作簿。请另存为 .xlsx 后重新添加。',
  'The XML was read as plain text, because it is not well-formed or uses an entity that cannot be expanded: {0}.':
    'XML 已按纯文本读取：它的格式不规范，或使用了无法展开的实体（{0}）。',
  '{0} files were left out: at most {1} of an archive are read. Unpack it and add the folder.':
    '略过了 {0} 个文件：一个压缩包最多读取 {1} 个。请解压后添加文件夹。',
  'Running heads are read once. Copies of them that were left out: {0}.':
    '页眉页脚只读取一次，略去的重复处数：{0}。',
  'Skipped: {0}. Their text is not searchable.': '未读取：{0}，其中的文字搜索不到。',
  'Refused {0}: it would have more than {1} characters of text for each of the {2} bytes read. It repeats a text, a number format or a sheet many times. Remove the repetitions, or save it in another format.':
    '拒绝读取 {0}：每读取 {2} 字节，会产生超过 {1} 倍字符的文本。文件多次重复同一段文本、数字格式或工作表。请去除重复，或另存为其他格式。',
  'There are no files in {0} any more.': '{0} 中已没有文件。',
  '{0} has a format that cannot be read. {1}': '{0} 的格式无法读取。{1}',
  '{0}, attached to {1}, has a format that cannot be read. {2}':
    '{1} 的附件 {0} 的格式无法读取。{2}',
  'There is no file or folder {0}. Check the path.': '没有文件或文件夹 {0}。请检查路径。',
  'The name of {0} is not UTF-8, and lost its bytes. Index its folder, or rename it.':
    '{0} 的文件名不是 UTF-8，其字节已丢失。请索引所在的文件夹，或改名。',
  'For all names in a folder, in GBK for example: convmv -r -f GBK -t UTF-8 --notest FOLDER':
    '要改一个文件夹中的所有名称（例如 GBK 编码）：convmv -r -f GBK -t UTF-8 --notest 文件夹',
  '{0} is neither a file nor a folder.': '{0} 既不是文件，也不是文件夹。',
  '{0} is not a regular file, such as a pipe or a socket, and is not read.':
    '{0} 不是普通文件（例如是管道或套接字），未读取。',
  '{0} is a link out of the folder, or to nothing, and is not followed. Name its target to index it.':
    '{0} 是指向文件夹之外或已失效的链接，未跟随。要索引，请直接指定其目标。',
  'Cannot read {0}: {1}. {2}': '无法读取 {0}：{1}。{2}',
  'It is part of the store, which contains copies and settings, not documents. Name the documents.':
    '该文件夹属于资料库本身，其中是副本和设置，不是文档。请指定文档所在的位置。',
  '{0} has more than {1}. Raise the setting fetching.maxBytes to read it.':
    '{0} 超过 {1}。要读取，请调高设置 fetching.maxBytes。',
  '{0} gave an answer that is not JSON. Check its URL.': '{0} 的应答不是 JSON。请检查网址。',
  '{0} cannot be reached: {1}.': '无法连接 {0}：{1}。',
  '{0} refused ({1}): check the key.': '{0} 拒绝了请求（{1}）：请检查密钥。',
  '{0} wants fewer requests (429). Try again later.': '{0} 要求降低请求频率（429）。请稍后再试。',
  '{0} answered with status {1}.': '{0} 返回状态码 {1}。',
  'Cannot fetch {0}: {1}': '无法抓取 {0}：{1}',
  'Cannot fetch {0}: {1}. Check the address and try again; what is indexed of it stays.':
    '无法抓取 {0}：{1}。请检查网址后再试；已索引的内容会保留。',
  '{0} is refused: it is a private or reserved address, and only public ones are read.':
    '拒绝抓取 {0}：这是内网或保留地址，只能读取公网地址。',
  'To allow it, use --allow-private or the setting fetching.allowPrivate.':
    '要允许，请使用 --allow-private 或设置 fetching.allowPrivate。',
  'There is no sitemap {0}. Use --crawl with a depth instead.':
    '没有站点地图 {0}。请改为用 --crawl 指定层数。',
  '{0} is not a sitemap. Use --crawl with a depth instead.':
    '{0} 不是站点地图。请改为用 --crawl 指定层数。',
  'Cannot read the sitemap {0}: {1}.': '无法读取站点地图 {0}：{1}。',
  '{0} has more than {1} pages; the others were left out.': '{0} 超过 {1} 页，其余未抓取。',
  'To read more, raise --max-pages.': '要读取更多，请调高 --max-pages。',
  '{0} is not a URL.': '{0} 不是网址。',
  '{0} is refused: only http and https URLs are read.':
    '拒绝抓取 {0}：只能读取 http 和 https 网址。',
  'A URL of {0} is refused, because it holds a user name or password, which would be stored.':
    '拒绝抓取 {0} 的网址：其中含有用户名或密码，会被保存下来。',
  '{0} Download the file and index it from there.': '{0}请下载文件后索引。',
  'There is no text in {0}.': '{0} 中没有文字。',
  'Cutting {0} into chunks took longer than {1} s of processor time and was stopped. Split the file, or raise the setting parsing.timeMs.':
    '切分 {0} 占用处理器超过 {1} 秒，已停止。请拆分文件，或调高设置 parsing.timeMs。',
  'There is no model {0} for the collection {1}.': '没有文档集 {1} 所用的模型 {0}。',
  '{0} is no longer requested.': '{0} 已不需要处理。',
  '{0} place cannot be read as {1} and stands as � in the text, the first in line {2}. The file is damaged there, or of another charset.':
    '有 {0} 处无法按 {1} 解码，在文本中显示为 �，位于第 {2} 行。文件在该处已损坏，或使用其他编码。',
  '{0} places cannot be read as {1} and stand as � in the text, the first in line {2}. The file is damaged there, or of another charset.':
    '有 {0} 处无法按 {1} 解码，在文本中显示为 �，第一处在第 {2} 行。文件在这些地方已损坏，或使用其他编码。',
  'it inflates to {0}': '解压后达 {0}',
  'it inflates {0} times': '解压后膨胀到 {0} 倍',
  'it has {0} entries': '含有 {0} 个条目',
  '{0}, {1} entries, ratio {2}': '{0}、{1} 个条目、{2} 倍压缩比',
  'took longer than {0} of processor time{1}': '占用处理器超过 {0}{1}',
  'took longer than {0} of processor time for all its pictures': '识别全部图片占用处理器超过 {0}',
  'needed more than {0} of memory': '需要超过 {0} 的内存',
  'needed more than {0} of memory with the pictures that are read in it':
    '连同识别图片需要超过 {0} 的内存',
  'waited {0} for the disk{1} and was stopped': '等待磁盘 {0}{1}后停止',
  'Convert it to a supported format: {0}.': '请转换为支持的格式：{0}。',
  'It is {0}: save it as {1}, in Office or with LibreOffice, and add it again.':
    '这是 {0}：请用 Office 或 LibreOffice 另存为 {1}，再重新添加。',
  'If LibreOffice is installed, Passim reads such files itself: passim doctor shows it.':
    '安装 LibreOffice 后 Passim 会自行读取此类文件，可用 passim doctor 查看。',
  'It is an archive: unpack it and add what is in it.': '这是压缩包：请解压后添加其中的文件。',
  'It is a recording: add its transcript or subtitles as text.':
    '这是录音或录像：请添加其文字记录或字幕。',
  'It is a database: export its tables as CSV and add these.':
    '这是数据库：请将其中的表导出为 CSV 后添加。',
  'It is a program: add its documentation instead.': '这是程序：请添加它的文档。',
  'It is a picture: save it as PNG or JPEG and add it again.':
    '这是图片：请另存为 PNG 或 JPEG，再重新添加。',
  'It is a document of Pages, Keynote or Numbers: export it as PDF or for Word, PowerPoint or Excel, and add that.':
    '这是 Pages、Keynote 或 Numbers 文档：请导出为 PDF 或 Word、PowerPoint、Excel 文件后添加。',
  'Cannot read {0}: LibreOffice could not convert it. It may be damaged or protected by a password: save it as .{1} and add it again.':
    '无法读取 {0}：LibreOffice 无法转换。文件可能已损坏或有密码保护：请另存为 .{1}，再重新添加。',
  '{0} cannot be run.': '无法运行 {0}。',
  'Correct parsing.libreOffice, or set it to off.': '请更正 parsing.libreOffice，或将其设为 off。',
  'The quoted field that begins in line {0} goes on after its closing mark: a mark in it is not doubled, or one before it is missing.':
    '从第 {0} 行开始的引号字段在结束引号之后仍有内容：其中的引号没有双写，或前面缺少引号。',
  'The quoted field that begins in line {0} has no closing mark: its opening one was read as text.':
    '从第 {0} 行开始的引号字段没有结束引号：其开始引号已按文字读取。',
  '{0} more quoted fields do not end as they should.': '另有 {0} 个引号字段没有正常结束。',
  'The charset {0} is declared, which is unknown: the text was read as {1}. If words look wrong, save it as UTF-8 and add it again.':
    '声明的编码 {0} 未知，已按 {1} 读取。如果文字有误，请另存为 UTF-8 后重新添加。',
  'The charset {0} is declared, which its bytes contradict: the text was read as {1}. If words look wrong, save it as UTF-8 and add it again.':
    '声明的编码 {0} 与内容不符，已按 {1} 读取。如果文字有误，请另存为 UTF-8 后重新添加。',
  'Hidden in the document, but read: {0} piece of text.': '已读取文档中隐藏的 {0} 处文字。',
  'Hidden in the document, but read: {0} pieces of text.': '已读取文档中隐藏的 {0} 处文字。',
  'its package file {0} is missing': '缺少其包文件 {0}',
  '{0} mails were left out: at most {1} of a mailbox are read.':
    '略过了 {0} 封邮件：一个邮箱文件最多读取 {1} 封。',
  '{0} mails were left out: each may have {1} bytes.': '略过了 {0} 封邮件：每封最大 {1} 字节。',
  '{0} {1} Split the mailbox.': '{0}{1}请拆分邮箱文件。',
  '{0} is pictures without text. {1}': '{0}只有图片，没有文字。{1}',
  '{0} is pictures without text.': '{0}只有图片，没有文字。',
  'OCR found no text in {0}.': 'OCR 在{0}中没有找到文字。',
  '{0}: other pictures were not read. {1}': '{0}：未读取其余图片。{1}',
  'Only {0} pictures are read.': '只读取前 {0} 张图片。',
  '{0}: a picture was read by OCR, which is only {1} % sure of it.':
    '{0}：图片由 OCR 识别，可信度只有 {1}%。',
  '{0}: part of a picture could not be read by OCR.': '{0}：图片有一部分 OCR 未能识别。',
  '{0}: a picture could not be read ({1})': '{0}：有一张图片无法读取（{1}）',
  'it lacks {0}, its main part': '缺少主要部分 {0}',
  'its part {0} is damaged': '其中的 {0} 已损坏',
  '{0} page': '{0} 页',
  '{0} pages': '{0} 页',
  '{0} is damaged or cut off, and only pictures are left of it. {1}':
    '{0} 已损坏或不完整，只剩下图片。{1}',
  '{0} holds no text: its only page is a picture. {1}': '{0} 中没有文字，仅有的一页是图片。{1}',
  '{0} holds no text: its {1} pages are pictures. {2}': '{0} 中没有文字，{1} 页都是图片。{2}',
  'it had {0}': '原有 {0} 页',
  ', and parts of page {0}': '，以及第 {0} 页的一部分',
  'none of the {0} slides that it lists is in it': '列出的 {0} 张幻灯片都不存在',
  'its sheets are not in it ({0})': '其中没有列出的工作表（{0}）',
  'Sheets that the workbook lists are not in it: {0}.': '工作簿列出的以下工作表不存在：{0}。',
  'The text of {0} cell is not in the workbook: its list of texts is missing or cut off.':
    '工作簿中缺少 {0} 个单元格的文字：文本列表缺失或不完整。',
  'The text of {0} cells is not in the workbook: its list of texts is missing or cut off.':
    '工作簿中缺少 {0} 个单元格的文字：文本列表缺失或不完整。',
  '{0} number format is longer than Excel allows: numbers are written without them.':
    '有 {0} 个数字格式超过 Excel 允许的长度，相应的数字不带格式。',
  '{0} number formats are longer than Excel allows: numbers are written without them.':
    '有 {0} 个数字格式超过 Excel 允许的长度，相应的数字不带格式。',
  '{0} cell repeats a long text: it is given in full once, and only its beginning there.':
    '有 {0} 个单元格重复一段长文本：全文只保留一次，其余只保留开头。',
  '{0} cells repeat a long text: it is given in full once, and only its beginning there.':
    '有 {0} 个单元格重复一段长文本：全文只保留一次，其余只保留开头。',
  '{0} is not a workbook': '{0} 不是工作簿',
  'To remove it, index again with --prune.': '要移除，请加 --prune 重新索引。',
  'To remove them, index again with --prune.': '要移除，请加 --prune 重新索引。',
  '{0} Its document remains in the collection.': '{0}其文档仍保留在文档集中。',
  '{0} Its {1} documents remain in the collection.': '{0}其 {1} 份文档仍保留在文档集中。',
  'at most {0} attachments are read, nested at most {1} deep':
    '最多读取 {0} 个附件，嵌套不超过 {1} 层',
  '{0}, attached to {1}, was left out: {2}.': '略过了 {1} 的附件 {0}：{2}。',
  '{0} and {1} more attachments of {2} were left out: {3}.':
    '略过了 {2} 的附件 {0} 等，另有 {1} 个：{3}。',
  'stood still for {0}{1}': '停顿 {0}{1}',
  'it is damaged or cut off, and none of the {0} pages found in what is left of it can be read':
    '文件已损坏或不完整，剩余部分中的 {0} 页都无法读取',
}
