"""What the engine says about itself: the doctor, which looks at an installation and changes nothing."""
