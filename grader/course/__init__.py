"""What the course is: its exercises, their files and regions, the settings of a teacher."""
