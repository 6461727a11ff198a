"""What the unmodified MCP client does with a server of Passim at sys.argv[1]. Prints the name of each check that held."""

import sys

import anyio
from mcp import Client

QUESTION = {"question": "How many days of leave do employees receive?"}


async def use(mode: str) -> None:
    async with Client(sys.argv[1], mode=mode) as client:
        assert client.server_info.name == "passim", client.server_info
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"search", "fetch", "ask", "converse", "list_documents", "get_synonyms", "set_synonyms"}, tools
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert prompts == {"ask", "summarise", "compare"}, prompts
        summary = await client.get_prompt("summarise", {"document": "leave.md"})
        assert "24 days" in summary.messages[0].content.text, summary
        resources = (await client.list_resources()).resources
        assert [resource.name for resource in resources] == ["leave.md"], resources
        read = await client.read_resource(str(resources[0].uri))
        assert "24 days" in read.contents[0].text, read
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.name for template in templates] == ["document", "passage"], templates
        print(f"{mode}: lists and reads", flush=True)

        found = await client.call_tool("search", {"query": "days of leave"})
        assert found.structured_content["results"][0]["title"] == "Leave", found
        told: list[float] = []

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            told.append(progress)

        answer = await client.call_tool("ask", QUESTION, progress_callback=on_progress)
        assert answer.structured_content["citations"][0]["name"] == "leave.md", answer
        assert told and told == sorted(set(told)), told
        print(f"{mode}: searches and asks, with progress", flush=True)

        async with anyio.create_task_group() as calls:
            calls.start_soon(client.call_tool, "ask", QUESTION)
            await anyio.to_thread.run_sync(sys.stdin.readline)  # a line comes once the model works
            calls.cancel_scope.cancel()
        await anyio.to_thread.run_sync(sys.stdin.readline)  # and another one once it is let go of
        assert len((await client.list_tools()).tools) == len(tools)
        print(f"{mode}: cancels", flush=True)


async def main() -> None:
    for mode in ("legacy", "auto"):
        await use(mode)


anyio.run(main)
