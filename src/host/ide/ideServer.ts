import { Disposable } from '../../shared/disposable';
import { changeTools } from './changeTools';
import { HttpDoor, type Admission } from './httpDoor';
import type { IdeServersOptions } from './ideServers';
import { toolsFor } from './mcpHandler';
import { moreReadTools, readTools } from './readTools';
import { runTools } from './runTools';
import type { EditorTool, ToolSession } from './tool';

/** The editor's tools for all sessions of this window, behind one door. */
export class IdeServer extends Disposable {
  private readonly options: IdeServersOptions;
  private readonly door: HttpDoor;

  private constructor(options: IdeServersOptions, door: HttpDoor) {
    super();
    this.options = options;
    this.door = this.register(door);
  }

  static async open(options: IdeServersOptions): Promise<IdeServer> {
    return new IdeServer(options, await HttpDoor.open());
  }

  admit(session: ToolSession): Admission {
    return this.door.admit(
      toolsFor(session, () => this.tools(), this.options, this.options.language(), this.options.version),
    );
  }

  private tools(): readonly EditorTool[] {
    const more = new Set(this.options.settings.moreEditorTools);
    const offered = [...moreReadTools, ...changeTools, ...runTools()].filter(({ name }) => more.has(name));
    const disabled = new Set(this.options.settings.disabledEditorTools);
    return [...readTools.filter(({ name }) => !disabled.has(name)), ...offered];
  }
}
